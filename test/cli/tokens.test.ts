import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import type { TokenRow } from "../../runtime/store/tokens.js";
import { startApi } from "../api/running-api.js";
import { earshot, earshotIn } from "./earshot.js";

t.test(
	"a token created on the command line works in the running server at once, and is revoked as fast",
	async (t) => {
		const api = await startApi(t);
		const dir = t.testdirName;
		const made = await earshotIn(
			dir,
			"token",
			"create",
			"--name",
			"kiosk-3",
			"--ttl",
			"1h",
			"--scope",
			"asr",
		);
		t.match(made, { code: 0, out: /^[\w-]{43}\n$/, err: /^[^\n]+\n$/ });
		t.notMatch(made.err, made.out.trim());
		const headers = { Authorization: `Bearer ${made.out.trim()}` };
		t.match(await api.recognize("lang_type=en", { headers }), { http: 200 });
		const list = await earshotIn(dir, "token", "list", "--json");
		t.match(JSON.parse(list.out), [
			{ name: "tester" },
			{ name: "kiosk-3", scopes: "asr", state: "valid" },
		]);
		t.notMatch(list.out, made.out.trim());
		t.match(await earshotIn(dir, "token", "revoke", "kiosk-3"), {
			code: 0,
			out: "1 revoked\n",
		});
		t.match(await api.recognize("lang_type=en", { headers }), { http: 401 });
		t.match(
			(await earshotIn(dir, "token", "list")).out,
			/kiosk-3 +asr +revoked/,
		);
	},
);

t.test(
	"who creates a token reads when it ends, and how to get one that lasts longer",
	async (t) => {
		const dir = t.testdir();
		const create = (...more: string[]) =>
			earshotIn(dir, "token", "create", "--name", "n8n", ...more);
		const usual = await create();
		t.match(usual.out, /^[\w-]{43}\n$/, "the token stays alone there");
		t.match(
			usual.err,
			/^earshot: valid until \d{4}-[-: \d]+Z; --ttl 365d makes one that is valid for a year\n$/,
		);
		const year = await create("--ttl", "365d");
		t.match(year.err, /^earshot: valid until [-: \d]+Z\n$/);
		const list = await earshotIn(dir, "token", "list", "--json");
		const rows: { expires: string }[] = JSON.parse(list.out);
		t.match(usual.err, rows[0]?.expires);
		t.match(year.err, rows[1]?.expires);
	},
);

t.test(
	"tokens created within one second are listed oldest first",
	async (t) => {
		const dir = t.testdir();
		const names = ["first", "second", "third"];
		for (const name of names)
			await earshotIn(dir, "token", "create", "--name", name);
		const list = await earshotIn(dir, "token", "list", "--json");
		t.same(
			(JSON.parse(list.out) as { name: string }[]).map((it) => it.name),
			names,
		);
	},
);

t.test(
	"an application's secret is shown once; revoking it revokes its tokens",
	async (t) => {
		const api = await startApi(t);
		const dir = t.testdirName;
		const made = await earshotIn(
			dir,
			"app",
			"create",
			"--name",
			"robot",
			"--json",
		);
		const app = JSON.parse(made.out);
		t.match(app, { app_id: /^[0-9a-f-]{36}$/, secret: /^[0-9a-f]{64}$/ });
		t.equal(api.store.apps.findValid(app.app_id)?.secret, app.secret);
		const { token } = await api.store.tokens.create({
			name: "robot",
			scopes: ["asr"],
			nowSeconds: 1e9,
			ttlSeconds: 1e10,
			appId: app.app_id,
		});
		const list = await earshotIn(dir, "app", "list");
		t.match(list.out, app.app_id);
		t.notMatch(list.out, app.secret);
		t.match(await earshotIn(dir, "app", "revoke", "robot"), {
			code: 0,
			out: "1 revoked, and 1 of its tokens\n",
		});
		const headers = { Authorization: `Bearer ${token}` };
		t.match(await api.recognize("lang_type=en", { headers }), { http: 401 });
		const rows = [...api.store.database.table<TokenRow>("tokens").rows()];
		const noted = rows.filter(({ value }) => value.revokedSeconds !== null);
		t.match(noted, [{ value: { appId: app.app_id } }], "an older version sees");
	},
);

t.test(
	"a token that the operator has chosen works, is shown nowhere, and is taken once",
	async (t) => {
		const api = await startApi(t);
		const dir = t.testdirName;
		const chosen = "kiosk-7.3d1c9f0b7a5e4826a1c4d2f8e6b09375";
		const file = join(dir, "token");
		writeFileSync(file, `${chosen}\n`);
		const create = (path: string, input = "", name = "kiosk-7") =>
			earshot(
				["token", "create", "--name", name, "--token-file", path],
				{ EARSHOT_STATE_DIR: dir },
				input,
			);
		const made = await create(file);
		t.match(made, { code: 0, out: "", err: /^earshot: valid until [^\n]+\n$/ });
		const headers = { Authorization: `Bearer ${chosen}` };
		t.match(await api.recognize("lang_type=en", { headers }), { http: 200 });
		const again = await create(file, "", "other");
		t.match(again, { code: 2, out: "", err: /exists already/ });
		const other = `${chosen}~`;
		t.match(await create("-", other), { code: 0, out: "" });
		const others = { Authorization: `Bearer ${other}` };
		t.match(
			await api.recognize("lang_type=en", { headers: others }),
			{ http: 200 },
			"from standard input",
		);
		await earshotIn(dir, "token", "revoke", "kiosk-7");
		t.match(await create(file), { code: 2 }, "what was revoked stays so");
		t.match(await api.recognize("lang_type=en", { headers }), { http: 401 });
		for (const { err } of [made, again]) t.notMatch(err, chosen);
	},
);

t.test("a weak token is refused, and not repeated", async (t) => {
	const dir = t.testdir();
	const weak = [
		"short-0123456789",
		"aaaaaaaabbbbbbbbccccccccdddddddd",
		"has a space 3d1c9f0b7a5e4826a1c4",
		"3d1c9f0b7a5e4826a1c4d2f8e6b09375\n3d1c9f0b7a5e4826a1c4d2f8e6b09375",
		"umlaut-ä-3d1c9f0b7a5e4826a1c4d2f8",
		`3d1c9f0b7a5e4826${"a1c4".repeat(100)}`,
		"",
	];
	for (const given of weak) {
		const words = ["token", "create", "--name", "x", "--token-file", "-"];
		const ran = await earshot(words, { EARSHOT_STATE_DIR: dir }, given);
		t.match(ran, { code: 2, out: "", err: /32 to 256 .*openssl rand/ });
		if (given !== "") t.notMatch(ran.err, given.slice(0, 16));
	}
	const path = "/nowhere/token";
	const none = await earshotIn(
		dir,
		...["token", "create", "--name", "x", "--token-file", path],
	);
	t.match(none, {
		code: 2,
		err: /^earshot: \/nowhere\/token: no such file\n$/,
	});
	t.equal((await earshotIn(dir, "token", "list", "--json")).out, "[]\n");
});

t.test("wrong usage ends with 2 and a sentence", async (t) => {
	const dir = t.testdir();
	const wrong: [words: string[], err: RegExp][] = [
		[["token", "create"], /--name/],
		[["token", "create", "--name", ""], /--name must be 1 to 100 characters/],
		[["token", "create", "--name", "a\nb"], /--name must be/],
		[
			["token", "create", "--name", "x", "--ttl", "7"],
			/--ttl must be a duration such as .*, got "7"/,
		],
		[["token", "create", "--name", "x", "--ttl", "0d"], /--ttl/],
		[
			["token", "create", "--name", "x", "--scope", "asr,root"],
			/--scope must be all, or one or more of asr,hotwords,files,status,admin, got "asr,root"/,
		],
		[["token", "revoke", "nobody"], /no valid token has the name or id nobody/],
		[["app", "revoke", "nobody"], /no valid application/],
		[["app", "create"], /--name/],
		[["update", "--rollback", "--check"], /'--rollback' .* '--check'/],
		[
			["update", "--rollback", "--from", "earshot-0.2.0"],
			/'--rollback' cannot be used with option '--from <file-or-url>'/,
		],
	];
	const ended = await Promise.all(
		wrong.map(([words]) => earshotIn(dir, ...words)),
	);
	for (const [index, [words, err]] of wrong.entries())
		t.match(ended[index], { code: 2, out: "", err }, words.join(" "));
	const broken = await earshotIn(
		dir,
		"--set",
		"server.prot=1",
		"config",
		"show",
	);
	t.match(broken, {
		code: 1,
		err: /^earshot: unknown configuration key server\.prot .*server\.port\n$/,
	});
	const shown = await earshotIn(dir, "config", "show", "--json");
	t.ok(
		JSON.parse(shown.out).some(
			(it: { key: string; value: unknown; origin: string }) =>
				it.key === "state.dir" &&
				it.value === dir &&
				it.origin === "environment EARSHOT_STATE_DIR",
		),
	);
});
