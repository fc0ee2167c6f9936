/** Streams of the network as microphones, through the capture process that records cards (docs/microphones.md). */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { ConfigReload } from "../../runtime/appliance/config-reload.js";
import { standingMicrophones } from "../../runtime/appliance/standing-microphones.js";
import { loadConfig } from "../../runtime/config/load.js";
import { loggerTo } from "../../runtime/log/log.js";
import { Capture } from "../../runtime/microphones/capture.js";
import {
	captureSettings,
	streamAccess,
} from "../../runtime/microphones/from-config.js";
import type { FromCapture } from "../../runtime/microphones/protocol.js";
import { Outbound } from "../../runtime/outbound/outbound.js";
import { FakeLane } from "../api/fake-lane.js";
import { wavBytes } from "../audio/wav-bytes.js";
import { listeningLog } from "../engine/fake-lane.js";
import { ffmpegMissing } from "../ffmpeg/encoded.js";
import { eventually } from "../fixtures/eventually.js";
import { secureServer } from "../fixtures/secure-server.js";
import { noWords } from "../live/no-words.js";
import { startCamera } from "./rtsp-camera.js";

const skip = await ffmpegMissing();
const login = "front door:pa:ss/word";

/** A microphone of the configuration, as the appliance reads it. */
function settingsOf(
	t: Test,
	device: string,
	{
		allow = ["127.0.0.1"],
		login,
		settings = "",
	}: { allow?: string[]; login?: string; settings?: string } = {},
) {
	const root = t.testdir({
		config: {
			"earshot.toml": `[outbound]\nallow = ${JSON.stringify(allow)}\n[[microphone]]\nid = "door"\ndevice = "${device}"\n${settings}\n`,
		},
		credentials: {},
	});
	const environment = { CREDENTIALS_DIRECTORY: join(root, "credentials") };
	if (login !== undefined)
		writeFileSync(
			join(root, "credentials", "earshot.microphone.door"),
			`${login}\n`,
		);
	const { microphone, outbound } = loadConfig({ environment, root }).values;
	const [it] = microphone;
	if (!it) throw new Error("no microphone");
	return captureSettings(it, streamAccess(it, outbound, environment));
}

function record(t: Test, settings: ReturnType<typeof settingsOf>) {
	const messages: FromCapture[] = [];
	const capture = new Capture(
		() => settings,
		{ onMessage: (it) => messages.push(it), onDeath: () => {} },
		listeningLog(() => {}),
	);
	t.teardown(() => capture.stop());
	capture.start();
	const of = <Is extends FromCapture["is"]>(is: Is, nth = 1) =>
		eventually(
			`${is} ${nth}`,
			() =>
				messages.filter(
					(it): it is Extract<FromCapture, { is: Is }> =>
						it.is === is && !isLate(it),
				)[nth - 1],
			{ seen: () => messages.slice(-3) },
		);
	return { messages, of, capture };
}

/** On a busy machine ffmpeg may need more than the ten seconds in which a stream has to send something; the next one says what it is about. */
function isLate(it: FromCapture): boolean {
	return it.is === "trouble" && it.code === "ETIMEDOUT";
}

function isThere(pid: number): boolean {
	try {
		// one that has ended and was not waited for is a zombie
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
	} catch {
		return false;
	}
}

/** A tone of half full scale at 16 kHz, behind a header that promises hours. */
const tone = wavBytes({
	tag: 1,
	channels: 1,
	sampleRateHz: 16_000,
	bits: 16,
	data: Buffer.from(
		Int16Array.from({ length: 48_000 }, (_, at) =>
			at % 32 < 16 ? 16_000 : -16_000,
		).buffer,
	),
});

/** Three seconds of sound for whoever has a login, and the end. */
async function radio(t: Test) {
	const logins: (string | undefined)[] = [];
	const server = createServer((request, response) => {
		logins.push(request.headers.authorization);
		if (request.headers.authorization === undefined) {
			response.writeHead(401, { "www-authenticate": 'Basic realm="radio"' });
			response.end();
			return;
		}
		response.setHeader("content-type", "audio/wav");
		response.end(tone);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/radio.wav`, logins };
}

t.test("a camera's sound, over RTSP", { skip }, async (t) => {
	const camera = await startCamera(t);
	const { of } = record(t, settingsOf(t, camera.url));
	t.match(await of("opened"), {
		format: "S16_LE",
		rateHz: 16_000,
		channels: 1,
	});
	const { audio } = await of("audio", 5);
	t.ok((audio.levelsDbfs[0] ?? -99) > -30, `${audio.levelsDbfs}`);
	const setUp = camera.requests.filter((it) => it.startsWith("SETUP"));
	t.equal(setUp.length, 1, "its picture is not asked for");
	t.match(setUp[0], /trackID=0$/);
});

t.test("its login is a credential, and stays one", { skip }, async (t) => {
	const camera = await startCamera(t, login);
	const { of, messages } = record(t, settingsOf(t, camera.url, { login }));
	await of("opened");
	const sent = `Basic ${Buffer.from(login).toString("base64")}`;
	t.equal(camera.logins.at(-1), sent);

	const closed = await startCamera(t, login);
	const without = record(t, settingsOf(t, closed.url));
	t.match(await without.of("trouble"), { message: /401/ });
	const all = JSON.stringify([...messages, ...without.messages]);
	t.notMatch(all, "pa:ss");
	t.throws(() => settingsOf(t, "rtsp://user:secret@door.lan/live"), {
		message: /^microphone door: device must not contain a user name or pass/,
	});
});

t.test("a killed capture leaves nothing", { skip }, async (t) => {
	const camera = await startCamera(t, undefined, 50);
	const { messages, capture } = record(t, settingsOf(t, camera.url));
	const receivedBytes = () =>
		messages.reduce(
			(sum, it) => sum + (it.is === "audio" ? it.audio.bytes.length : 0),
			0,
		);
	// all of a second, but for what the resampler keeps: from now on ffmpeg has nothing to write
	await eventually("the last of it", () => receivedBytes() > 0.9 * 32_000);
	const parent = capture.pid ?? 0;
	const { stdout } = await promisify(execFile)("pgrep", ["-P", `${parent}`]);
	const ffmpeg = Number(stdout);
	const limits = readFileSync(`/proc/${ffmpeg}/limits`, "utf8");
	t.match(limits, /^Max cpu time +unlimited/m, "it may listen for years");
	t.match(limits, /^Max address space +1073741824/m);
	process.kill(parent, "SIGKILL");
	await eventually("ffmpeg to be gone", async () => !isThere(ffmpeg));
});

t.test("a stream that ends is opened again", { skip }, async (t) => {
	const { url, logins } = await radio(t);
	const { of } = record(t, settingsOf(t, url, { login }));
	await of("opened");
	const { audio } = await of("audio", 3);
	t.ok(Math.abs((audio.levelsDbfs[0] ?? 0) - -6.2) < 1, `${audio.levelsDbfs}`);
	t.match(await of("trouble"), {
		code: "ENODATA",
		message: "the stream ended",
	});
	await of("opened", 2);
	t.same(logins.slice(0, 2), [
		undefined,
		`Basic ${Buffer.from(login).toString("base64")}`,
	]);
});

t.test(
	"the certificate of an https:// stream is checked",
	{ skip },
	async (t) => {
		const logins: (string | undefined)[] = [];
		const { port, ca } = await secureServer(
			t,
			{ dns: [], addresses: ["127.0.0.1"] },
			(request, response) => {
				logins.push(request.headers.authorization);
				response.end(tone);
			},
		);
		const url = `https://127.0.0.1:${port}/door.wav`;
		const opens = async (settings: string) => {
			const { of, capture } = record(
				t,
				settingsOf(t, url, { login, settings }),
			);
			await of("opened");
			await capture.stop();
		};

		const unknown = record(t, settingsOf(t, url, { login }));
		t.match(await unknown.of("trouble"), { message: /certificate/i });
		await unknown.capture.stop();
		t.same(logins, [], "its login stays here");

		const folder = mkdtempSync(join(tmpdir(), "earshot-ca-"));
		t.teardown(() => rmSync(folder, { recursive: true }));
		const file = join(folder, "cameras.pem");
		writeFileSync(file, ca);
		await opens(`ca_file = "${file}"`);
		await opens("verify_certificate = false");
		const absent = settingsOf(t, url, { settings: `ca_file = "${file}.old"` });
		t.match(await record(t, absent).of("trouble"), {
			code: "ENOENT",
			message: /cameras\.pem\.old can't be read/,
		});
		t.throws(
			() => settingsOf(t, url, { settings: 'ca_file = "cameras.pem"' }),
			{
				message: /^microphone\.ca_file in .* must be an absolute path/,
			},
		);
	},
);

t.test("only where outbound.allow permits it", { skip }, async (t) => {
	const { url, logins } = await radio(t);
	const { of } = record(t, settingsOf(t, url, { allow: [] }));
	t.match(await of("trouble"), {
		code: "EACCES",
		message: /not allowed.*outbound\.allow/,
	});
	t.same(logins, [], "nobody was asked");
});

t.test("a reload of outbound.allow counts at once", { skip }, async (t) => {
	const { url } = await radio(t);
	const configOf = (allow: readonly string[]) =>
		loadConfig({
			environment: {},
			root: t.testdir({
				config: {
					"earshot.toml": `[outbound]\nallow = ${JSON.stringify(allow)}\n[log]\nlevel = "fatal"\n[[microphone]]\nid = "door"\ndevice = "${url}"\n`,
				},
				credentials: { "earshot.microphone.door": `${login}\n` },
			}),
		}).values;
	process.env.CREDENTIALS_DIRECTORY = join(t.testdirName, "credentials");
	t.teardown(() => delete process.env.CREDENTIALS_DIRECTORY);
	const config = configOf([]);
	let allow: readonly string[] = [];
	const log = loggerTo({ write() {} }, "fatal");
	const microphones = standingMicrophones({
		config,
		log,
		languages: ["en-US"],
		words: noWords,
		inForce: () => reload.config,
		lane: new FakeLane(),
		mutes: {
			read: () => undefined,
			keep: async () => {},
			forget: async () => {},
		},
	});
	const reload: ConfigReload = new ConfigReload({
		config,
		log,
		microphones,
		languages: [],
		https: undefined,
		readConfig: () => configOf(allow),
		outbound: new Outbound({ allow: [], ownPort: () => undefined }),
		api: { reconfigure() {} },
		noteModels: async () => {},
		model: { use: () => Promise.reject(new Error("not asked for")) },
	});
	microphones.start();
	t.teardown(() => microphones.stop());
	const state = () => microphones.states.get("door");
	const refused = { phase: "no-device", code: "EACCES" } as const;
	const isRefused = () => state()?.code === refused.code;
	await eventually("a refusal", isRefused, { seen: state });
	allow = ["127.0.0.1"];
	reload.reload();
	await eventually("sound", () => state()?.phase === "listening", {
		seen: state,
	});
	allow = [];
	reload.reload();
	await eventually("a refusal again", isRefused, { seen: state });
	t.match(state(), refused);
	t.match(microphones.stats, [{ deaths: 0 }]);
});

t.test("what is no stream is said", { skip }, async (t) => {
	const nobody = record(t, settingsOf(t, "http://127.0.0.1:9/none"));
	t.match(await nobody.of("trouble"), { message: /refused/i });
	const page = createServer((_, response) => {
		response.end("<html>no sound</html>");
	}).listen(0, "127.0.0.1");
	await once(page, "listening");
	t.teardown(() => page.close());
	const { port } = page.address() as AddressInfo;
	const { of } = record(t, settingsOf(t, `http://127.0.0.1:${port}/`));
	t.match(await of("trouble"), { code: "ENODATA", message: /.+/ });
});
