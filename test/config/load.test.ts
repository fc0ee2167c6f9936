import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { Type } from "@sinclair/typebox";
import t from "tap";
import {
	effectiveText,
	effectiveValues,
} from "../../runtime/config/document.js";
import { loadConfig, loadSections } from "../../runtime/config/load.js";
import { planReload } from "../../runtime/config/reload.js";
import { setting } from "../../runtime/config/setting.js";

/** A folder with this main file and these drop-ins. */
function place(
	dir: string,
	main: string | undefined,
	dropIns: Record<string, string> = {},
): string {
	mkdirSync(`${dir}/config/earshot.d`, { recursive: true });
	// a checkout, whatever the machine has in /etc
	for (const name of ["package.json", "tsconfig.json"])
		writeFileSync(`${dir}/${name}`, "{}");
	if (main !== undefined) writeFileSync(`${dir}/config/earshot.toml`, main);
	for (const [name, text] of Object.entries(dropIns))
		writeFileSync(`${dir}/config/earshot.d/${name}`, text);
	return dir;
}

t.test("without any source every key has its default", async (t) => {
	const root = place(t.testdir(), undefined);
	const loaded = loadConfig({ environment: {}, root });
	t.equal(loaded.values.server.port, 7100);
	t.equal(loaded.values.auth.token_ttl_seconds, 7 * 86_400);
	t.equal(loaded.values.hotwords.categories.length, 15);
	t.ok([...loaded.origins.values()].every((origin) => origin === "default"));
});

t.test(
	"file, drop-ins by name, environment and command line override each other in this order",
	async (t) => {
		const root = place(
			t.testdir(),
			'[server]\nport = 1\nhost = "a"\nconnections_max = 11\ndrain_seconds = 1\n',
			{
				"20-b.toml": "[server]\nconnections_max = 13\n",
				"10-a.toml": "[server]\nconnections_max = 12\ndrain_seconds = 2\n",
				"ignored.txt": "[nonsense",
			},
		);
		const loaded = loadConfig({
			root,
			environment: {
				EARSHOT_SERVER_HOST: "b",
				EARSHOT_SERVER_PORT: "2",
				EARSHOT_TOKEN: "not a key of ours",
				EARSHOT_SERVER_DRAIN_SECONDS: "",
			},
			overrides: ["server.port=3"],
		});
		t.match(loaded.values.server, {
			port: 3,
			host: "b",
			connections_max: 13,
			drain_seconds: 2,
		});
		t.equal(loaded.origins.get("server.port"), "command line");
		t.equal(
			loaded.origins.get("server.host"),
			"environment EARSHOT_SERVER_HOST",
		);
		t.equal(
			loaded.origins.get("server.connections_max"),
			`${root}/config/earshot.d/20-b.toml`,
		);
	},
);

t.test("text from outside becomes the key's type", async (t) => {
	const { values } = loadConfig({
		root: place(t.testdir(), undefined),
		environment: {
			EARSHOT_AUTH_REQUIRED: "FALSE",
			EARSHOT_ENGINE_QUEUE_WAIT_SECONDS: "0.5",
			EARSHOT_SERVER_CORS_ORIGINS:
				"http://a, capacitor://localhost, file://, x-extension://AB-CD",
			EARSHOT_SERVER_IDLE_TIMEOUT_SECONDS: "0",
			EARSHOT_STATE_DIR: "/somewhere",
		},
	});
	t.equal(values.auth.required, false);
	t.equal(values.engine.queue_wait_seconds, 0.5);
	t.same(values.server.cors_origins, [
		"http://a",
		"capacitor://localhost",
		"file://",
		"x-extension://AB-CD",
	]);
	t.equal(values.server.idle_timeout_seconds, 0);
	t.equal(values.state.dir, "/somewhere");
});

t.test("a list from outside may be written as in a file", async (t) => {
	const root = place(t.testdir(), undefined);
	const allowed = (EARSHOT_OUTBOUND_ALLOW: string) =>
		loadConfig({ root, environment: { EARSHOT_OUTBOUND_ALLOW } }).values
			.outbound.allow;
	t.same(allowed('["10.0.0.7", "nas.lan"]'), ["10.0.0.7", "nas.lan"]);
	t.same(allowed("10.0.0.7,nas.lan"), ["10.0.0.7", "nas.lan"]);
	t.same(allowed("[]"), []);
	t.throws(() => allowed("[7]"), { message: /outbound\.allow in environment/ });
});

t.test(
	"EARSHOT_CONFIG names another file; a missing one is reported",
	async (t) => {
		const root = place(
			t.testdir({ "other.toml": "[server]\nport = 9\n" }),
			undefined,
		);
		const loaded = loadConfig({
			root,
			environment: { EARSHOT_CONFIG: `${root}/other.toml` },
		});
		t.equal(loaded.values.server.port, 9);
		t.throws(
			() =>
				loadConfig({ root, environment: { EARSHOT_CONFIG: "/no/such.toml" } }),
			{ message: "EARSHOT_CONFIG names /no/such.toml, which does not exist" },
		);
	},
);

t.test("relative paths in a file start at the program's root", async (t) => {
	const root = place(t.testdir(), '[state]\ndir = "./var2"\n');
	const loaded = loadConfig({ environment: {}, root });
	t.equal(loaded.values.state.dir, `${root}/var2`);
});

const refusals: (readonly [name: string, toml: string, message: RegExp])[] = [
	[
		"an unknown key",
		"[server]\nprot = 1\n",
		/^unknown configuration key server\.prot in .*earshot\.toml; the nearest is server\.port$/,
	],
	[
		"an unknown section",
		"[sever]\nport = 1\n",
		/^unknown configuration key section \[sever\] in .*; the nearest is server$/,
	],
	[
		"a key outside every section",
		"port = 7200\n",
		/^unknown configuration key port in .*earshot\.toml: it is in no section; in one it would be server\.port or tls\.port/,
	],
	[
		"a list outside every section",
		'allow = ["10.0.0.0/8"]\n',
		/^unknown configuration key allow in .*: it is in no section; in one it would be .*audiosocket\.allow/,
	],
	[
		"a microphone's key outside every section",
		'room = "kitchen"\n',
		/^unknown configuration key room in .*; in one it would be microphone\.room$/,
	],
	[
		"an unknown section that is repeated",
		'[[microphones]]\nid = "front"\n',
		/^unknown configuration key section \[microphones\] in .*; the nearest is microphone$/,
	],
	["a section that is no table", "server = 1\n", /server must be a table/],
	[
		"a wrong type",
		'[server]\nport = "80"\n',
		/^server\.port in .*earshot\.toml must be an integer from 0 to 65535, got "80"$/,
	],
	[
		"a wrong range",
		"[server]\nport = 70000\n",
		/must be an integer from 0 to 65535, got 70000$/,
	],
	[
		"an idle timeout that would kill the server",
		"[server]\nidle_timeout_seconds = 5\n",
		/must be 0 or an integer from 8 to 960, got 5$/,
	],
	[
		"an unknown choice",
		'[log]\nlevel = "loud"\n',
		/must be one of fatal, error, warn, info, debug, trace, got "loud"$/,
	],
	[
		"a list of the wrong things",
		"[outbound]\nallow = [1]\n",
		/must be a list of strings, got \[1\]$/,
	],
	...[
		"https://app.example.org/",
		"app.example.org",
		"https://App.example.org",
		"https://app.example.org:443",
		"http://app.example.org:80",
	].map(
		(origin) =>
			[
				`the origin ${origin}`,
				`[server]\ncors_origins = ["http://localhost:3000", "${origin}"]\n`,
				/must be a list of "\*" or origins as browsers send them: .*, got \[/,
			] as const,
	),
	...[
		"10.0.0.7:7143",
		"192.168.1.300",
		"fe80:::1",
		"10.0.0.07",
		"1:2:3:4:5:6:7:8:9",
		"1:2:3:4:5:6:7",
		"1::2:3:4:5:6:7:8",
		"fd00::7:",
		":fd00::7",
		"..",
	].map(
		(name) =>
			[
				`the name ${name}`,
				`[tls]\nnames = ["fd00::7", "64:ff9b::10.0.0.7", "10.0.0.7", "7kiosk.lan", "${name}"]\n`,
				/tls\.names .* must be a list of .* without ports: .*, got \[/,
			] as const,
	),
	[
		"a mistyped key outside every section",
		"ffmpeg_pth = 1\n",
		/^unknown configuration key ffmpeg_pth in .*earshot\.toml; the nearest is \w+\.\w+$/,
	],
	["a broken file", "[server\nport = 1\n", /earshot\.toml, line 1: /],
	["a date", "[server]\nport = 2020-01-01\n", /must be an integer/],
];
for (const [name, toml, message] of refusals) {
	t.test(`${name} is refused in one sentence`, async (t) => {
		const root = place(t.testdir(), toml);
		t.throws(() => loadConfig({ environment: {}, root }), {
			name: "ConfigError",
			message,
		});
	});
}

t.test(
	"a value in another encoding is refused, a comment is not",
	async (t) => {
		const latin1 = (value: string) =>
			Buffer.from(
				`# K\u00fcche\n[server]\n\t# \u00fc\nhost = "${value}"\n`,
				"latin1",
			);
		const root = place(t.testdir(), undefined);
		const load = (value: string) => {
			writeFileSync(`${root}/config/earshot.toml`, latin1(value));
			return loadConfig({ environment: {}, root }).values.server.host;
		};
		t.equal(load("kitchen"), "kitchen");
		t.throws(() => load("k\u00fcche"), {
			name: "ConfigError",
			message: /earshot\.toml, line 4: the file must be text in UTF-8/,
		});
		const other = (text: string) => {
			const bytes = Buffer.from(text, "latin1");
			writeFileSync(`${root}/config/earshot.toml`, bytes);
			return () => loadConfig({ environment: {}, root });
		};
		t.throws(
			other('[server]\nport = 1 # \u00fc\n\nhost = "\u00fc"\n'),
			/earshot\.toml, line 4: /,
			"a comment behind a value does no harm",
		);
		t.throws(
			other('[server]\nhost = """\n# \u00fc"""\n'),
			/earshot\.toml, line 3: /,
			"what looks like a comment may be a value",
		);
		writeFileSync(`${root}/config/earshot.toml`, '[server]\nhost = "\ufffd"\n');
		t.equal(loadConfig({ environment: {}, root }).values.server.host, "\ufffd");
	},
);

t.test("names and addresses in every form are taken", async (t) => {
	const names = ["asr.lan", "7kiosk", "10.0.0.7", "::", "::1", "fd00::7"];
	names.push("64:ff9b::10.0.0.7", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4");
	const root = place(t.testdir(), `[tls]\nnames = ${JSON.stringify(names)}\n`);
	t.same(loadConfig({ environment: {}, root }).values.tls.names, names);
});

t.test(
	"a wrong value is refused even where another source overrides it",
	async (t) => {
		const root = place(t.testdir(), "[server]\nport = -1\n");
		t.throws(
			() => loadConfig({ environment: { EARSHOT_SERVER_PORT: "80" }, root }),
			/server\.port in .*earshot\.toml/,
		);
	},
);

t.test(
	"mistakes in the environment and on the command line name their source",
	async (t) => {
		const root = place(t.testdir(), undefined);
		t.throws(
			() => loadConfig({ environment: { EARSHOT_SERVER_PROT: "1" }, root }),
			/EARSHOT_SERVER_PROT in the environment; the nearest is EARSHOT_SERVER_PORT/,
		);
		t.throws(
			() => loadConfig({ environment: { EARSHOT_SERVER_PORT: "12x" }, root }),
			/server\.port in environment EARSHOT_SERVER_PORT must be .*, got "12x"/,
		);
		const microphone = { EARSHOT_MICROPHONE_DEVICE: "hw:1,0" };
		t.throws(
			() => loadConfig({ environment: microphone, root }),
			/\[\[microphone\]\] can only be set in a file, not as environment EARSHOT_MICROPHONE_DEVICE$/,
		);
		t.throws(
			() => loadConfig({ environment: {}, root, overrides: ["server.port"] }),
			/expected section\.key=value/,
		);
		t.throws(
			() => loadConfig({ environment: {}, root, overrides: ["server.x=1"] }),
			/server\.x in the command line/,
		);
	},
);

t.test(
	"secrets are never shown, neither in force nor in an error message",
	async (t) => {
		const sections = {
			mail: {
				password: setting(Type.String({ maxLength: 8 }), "", "A secret.", {
					secret: true,
				}),
			},
		};
		const root = place(t.testdir(), '[mail]\npassword = "hush"\n');
		const loaded = loadSections(sections, { environment: {}, root });
		t.equal(loaded.values.mail.password, "hush");
		t.notMatch(effectiveText(effectiveValues(loaded, sections)), /hush/);
		const environment = { EARSHOT_MAIL_PASSWORD: "hush-hush-hush" };
		t.throws(() => loadSections(sections, { environment, root }), {
			message: /^mail\.password in [^"]*, got "a secret"$/,
		});
	},
);

t.test(
	"an installed program reads the system's folder, a checkout its own",
	async (t) => {
		const dir = t.testdir({
			program: { config: { "earshot.toml": "[server]\nport = 1\n" } },
			etc: {
				"earshot.toml": "[server]\nport = 2\n",
				"earshot.d": { "50-site.toml": "[server]\ndrain_seconds = 3\n" },
			},
			given: { "earshot.toml": "[server]\nport = 4\n" },
		});
		const root = `${dir}/program`;
		const systemFolder = `${dir}/etc`;
		const installed = loadConfig({ environment: {}, root, systemFolder });
		t.match(installed.values.server, { port: 2, drain_seconds: 3 });
		t.same(installed.files, [
			`${systemFolder}/earshot.toml`,
			`${systemFolder}/earshot.d/50-site.toml`,
		]);
		const nowhere = `${dir}/none`;
		t.equal(
			loadConfig({ environment: {}, root, systemFolder: nowhere }).values.server
				.port,
			1,
			"no such folder: beside the program",
		);
		place(root, undefined);
		t.equal(
			loadConfig({ environment: {}, root, systemFolder }).values.server.port,
			1,
			"a checkout",
		);
		const environment = { CONFIGURATION_DIRECTORY: `${dir}/given:/etc/other` };
		t.equal(
			loadConfig({ environment, root, systemFolder }).values.server.port,
			4,
			"what the service manager gives wins over both",
		);
	},
);

t.test(
	"drop-ins that are not a folder are reported in a sentence",
	async (t) => {
		const root = t.testdir({ config: { "earshot.d": "a file" } });
		t.throws(() => loadConfig({ environment: {}, root }), {
			name: "ConfigError",
			message: /earshot\.d can't be read: ENOTDIR/,
		});
	},
);

t.test(
	"a file that may be there is not taken for one that is not",
	async (t) => {
		const root = place(t.testdir(), undefined);
		symlinkSync("earshot.toml", `${root}/config/earshot.toml`);
		t.throws(() => loadConfig({ environment: {}, root }), {
			name: "ConfigError",
			message: /earshot\.toml can't be read: ELOOP/,
		});
	},
);

t.test(
	"credentials hold secrets, above files and below the environment",
	async (t) => {
		const root = place(t.testdir(), '[callback]\nsecret = "from the file"\n');
		const credentials = `${root}/credentials`;
		mkdirSync(credentials);
		const give = (name: string, text: string) =>
			writeFileSync(`${credentials}/${name}`, text);
		give("earshot.callback.secret", "from the store\n");
		give("somebody.else", "not for earshot");
		const environment = { CREDENTIALS_DIRECTORY: credentials };
		const loaded = loadConfig({ environment, root });
		t.equal(loaded.values.callback.secret, "from the store");
		t.equal(
			loaded.origins.get("callback.secret"),
			"credential earshot.callback.secret",
		);
		t.notMatch(effectiveText(effectiveValues(loaded)), /from the store/);
		t.equal(
			loadConfig({
				environment: { ...environment, EARSHOT_CALLBACK_SECRET: "nearer" },
				root,
			}).values.callback.secret,
			"nearer",
		);
		give("earshot.callback.secret", "x".repeat(2000));
		t.throws(() => loadConfig({ environment, root }), {
			message:
				/^callback\.secret in credential earshot\.callback\.secret must be .*, got "a secret"$/,
		});
		writeFileSync(
			`${credentials}/earshot.callback.secret`,
			Buffer.from("Schl\u00fcssel", "latin1"),
		);
		t.throws(() => loadConfig({ environment, root }), {
			message: /earshot\.callback\.secret must be text in UTF-8$/,
		});
		give("earshot.callback.secret", "");
		give("earshot.server.port", "1");
		t.throws(() => loadConfig({ environment, root }), {
			message: /server\.port is not a secret/,
		});
		give("earshot.server.port", "1");
		t.throws(
			() => {
				give("earshot.callback.secrte", "1");
				loadConfig({ environment, root });
			},
			{
				message: /unknown configuration key callback\.secrte.*callback\.secret/,
			},
		);
	},
);

t.test(
	"a reload applies what needs no restart, and names what does",
	async (t) => {
		const root = place(t.testdir(), undefined);
		const read = (...overrides: string[]) =>
			loadConfig({ environment: {}, root, overrides }).values;
		const inForce = read();
		const plan = planReload(
			inForce,
			read("log.level=debug", "server.cors_origins=*", "server.port=1"),
		);
		t.same(plan.changed, ["server.cors_origins", "log.level"]);
		t.same(plan.needRestart, ["server.port"]);
		t.equal(plan.values.log.level, "debug");
		t.equal(plan.values.server.port, inForce.server.port);
		const back = planReload(plan.values, read());
		t.same(back.changed, ["server.cors_origins", "log.level"]);
		t.same(back.values, inForce, "there and back");
		t.same(planReload(inForce, read()).changed, [], "nothing is nothing");
	},
);

t.test("microphones are shown with the files that they are from", (t) => {
	const root = place(
		t.testdir(),
		'[[microphone]]\nid = "front"\ndevice = "hw:1,0"\n',
	);
	const shown = effectiveValues(loadConfig({ environment: {}, root }));
	const of = (key: string) => shown.find((it) => it.key === key);
	t.match(of("microphone.front.device"), {
		value: "hw:1,0",
		origin: /earshot.toml$/,
	});
	t.match(of("microphone.front.muted"), { origin: "default" });
	t.end();
});
