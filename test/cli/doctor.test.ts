import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import t from "tap";
import { checkFfmpeg } from "../../runtime/cli/checks/ffmpeg.js";
import { checkKernels } from "../../runtime/cli/checks/kernels.js";
import {
	checkAlsa,
	checkClock,
	checkMemory,
	checkStateFolder,
} from "../../runtime/cli/checks/machine.js";
import { checkChoice, checkModels } from "../../runtime/cli/checks/models.js";
import { checkPorts, portState } from "../../runtime/cli/checks/ports.js";
import {
	checkCode,
	checkNative,
	checkNode,
} from "../../runtime/cli/checks/program.js";
import { checkSettings } from "../../runtime/cli/checks/settings.js";
import { checkTls } from "../../runtime/cli/checks/tls.js";
import { loadConfig } from "../../runtime/config/load.js";
import type { Config } from "../../runtime/config/schema.js";

t.test("the ffmpeg of this machine is good, or there is advice", async (t) => {
	const [finding] = await checkFfmpeg();
	if (finding?.state === "ok") t.match(finding.says, /^ffmpeg version/);
	else t.match(finding?.todo, /apt-get install ffmpeg/);
});

t.test("kernels: what is used, and why nothing better", (t) => {
	const refused = (isFault: boolean) => [
		{ instructions: "avx512-vnni", why: "a reason", isFault },
	];
	const linear = { name: "linear", instructions: "avx2" };
	const swoosh = { name: "swoosh", instructions: undefined, refused: [] };
	t.match(checkKernels([{ ...linear, refused: refused(false) }, swoosh]), {
		state: "ok",
		says: "linear avx2, swoosh by ONNX Runtime; no avx512-vnni: a reason",
	});
	t.match(checkKernels([{ ...linear, refused: refused(true) }]), {
		state: "warning",
		todo: /virtual machine/,
	});
	t.end();
});

t.test("code: whether it was compiled in advance", (t) => {
	t.match(checkCode(true, false), { state: "ok", says: "compiled in advance" });
	t.match(checkCode(false, true), { state: "ok", says: /keeps what/ });
	t.match(checkCode(undefined, false), {
		state: "warning",
		todo: "run scripts/prepare",
	});
	t.end();
});

t.test("a missing ffmpeg is broken, with advice", async (t) => {
	const [finding] = await checkFfmpeg("/nowhere/ffmpeg");
	t.match(finding, {
		state: "broken",
		says: /not installed/,
		todo: "apt-get install ffmpeg",
	});
});

t.test("an ffmpeg without a decoder is broken and names it", async (t) => {
	const folder = t.testdir();
	const program = join(folder, "ffmpeg");
	writeFileSync(
		program,
		`#!/bin/sh
case "$1" in
-version) echo "ffmpeg version 9 Copyright (c) somebody" ;;
-demuxers) printf ' D  aac x\\n D  amr x\\n D  flac x\\n D  matroska,webm x\\n D  mov,mp4,m4a x\\n D  mp3 x\\n D  ogg x\\n D  wav x\\n' ;;
-decoders) printf ' A....D aac x\\n A....D flac x\\n A....D libopus x\\n A....D mp3float x\\n A....D amrnb x\\n A....D pcm_alaw x\\n A....D vorbis x\\n' ;;
esac
`,
	);
	chmodSync(program, 0o755);
	const [alone] = await checkFfmpeg(program);
	t.match(alone, { state: "broken", says: /no ffprobe/ });
	cpSync(program, join(folder, "ffprobe"));
	const [finding] = await checkFfmpeg(program);
	t.match(finding, {
		state: "broken",
		says: "ffmpeg version 9 lacks decoder amrwb, encoder libmp3lame",
	});
});

t.test("memory", async (t) => {
	t.match(await checkMemory(4000, 3000), { state: "ok" });
	t.match(await checkMemory(4000, 800), { state: "warning" });
	t.match(await checkMemory(512, 300), { state: "broken", todo: /more/ });
	t.match((await checkMemory()).says, /^\d+ of \d+ MB free/);
});

t.test("a device with room for another model is told so", async (t) => {
	t.match(checkChoice("whisper-base", 8e9), [
		{ state: "ok", todo: "earshot models recommend" },
	]);
	t.same(checkChoice("whisper-base", 1e9), []);
	t.same(checkChoice("parakeet-ja", 8e9), []);
});

t.test(
	"the state directory is writable, or reported as unusable",
	async (t) => {
		const folder = join(t.testdir(), "new", "var");
		t.match(await checkStateFolder(folder), { says: new RegExp(folder) });
		t.notOk(existsSync(folder), "looking makes nothing");
		const file = join(t.testdir({ file: "" }), "file", "var");
		t.match(await checkStateFolder(file), {
			state: "broken",
			todo: /EARSHOT_STATE_DIR/,
		});
	},
);

t.test("a clock before the program's build is wrong", async (t) => {
	const synchronised = async () => true;
	const now = new Date();
	t.match(await checkClock(now, undefined, synchronised), { state: "ok" });
	t.match(await checkClock(now, undefined, async () => undefined), {
		state: "ok",
	});
	t.match(await checkClock(now, undefined, async () => false), {
		state: "warning",
		says: /^20\d\d-.*, not synchronised$/,
		todo: /timedatectl set-ntp true/,
	});
	t.match(await checkClock(new Date("1970-01-02")), {
		state: "broken",
		todo: /timedatectl/,
	});
});

t.test("a missing ALSA is a warning about microphones only", async (t) => {
	const folder = t.testdir({ with: { "libasound.so.2": "" }, without: {} });
	t.match(await checkAlsa([join(folder, "with")]), { state: "ok" });
	t.match(await checkAlsa([join(folder, "without"), "/nowhere"]), {
		state: "warning",
		todo: "apt-get install libasound2",
	});
});

t.test("Node and its native libraries", async (t) => {
	t.match(await checkNode(), { state: "ok", says: /glibc 2\./ });
	t.match(await checkNode("18.1.0"), { state: "broken" });
	t.match(await checkNative("x", async () => {}), { state: "ok" });
	const finding = await checkNative("x", async () => {
		throw new Error("version `GLIBC_2.38' not found\nmore");
	});
	t.match(finding, { state: "broken", todo: /use Node.js 20/ });
	t.notMatch(finding.says, /more/, "one line");
});

t.test("a port is free, ours, or used by another program", async (t) => {
	t.equal(await portState({ host: "127.0.0.1", port: 0 }), "free");
	const body = { ours: '{"status":"000000"}', others: "<html>" };
	// 127.0.0.2: of an appliance that listens on one of its addresses
	for (const host of ["127.0.0.1", "127.0.0.2"])
		for (const [whose, text] of Object.entries(body)) {
			const server = createServer((_, answer) => answer.end(text));
			await new Promise<void>((resolve) => server.listen(0, host, resolve));
			const { port } = server.address() as AddressInfo;
			const state = await portState({ host, port });
			if (whose === "ours") t.equal(state, "earshot");
			else t.match(state, { code: "EADDRINUSE" });
			server.close();
		}
});

t.test("what serve would not start with is broken", async (t) => {
	let text = "<html>";
	let requests = 0;
	const taken = createServer((_, answer) => {
		requests++;
		answer.end(text);
	});
	await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
	t.teardown(() => taken.close());
	const { port } = taken.address() as AddressInfo;
	const microphone = (more: string) =>
		`[[microphone]]\nid = "door"\ndevice = "hw:0"\n${more}\n`;
	const { dir } = loadConfig({ environment: {} }).values.model;
	const read = (text: string, serverPort = 1) => {
		const path = join(t.testdir({ "earshot.toml": text }), "earshot.toml");
		const environment = {
			EARSHOT_CONFIG: path,
			EARSHOT_MODEL_DIR: dir,
			EARSHOT_SERVER_PORT: `${serverPort}`,
			EARSHOT_SERVER_HOST: "127.0.0.1",
		};
		return loadConfig({ environment }).values;
	};
	const busy = `port = ${port}\n`;
	const own = `enabled = true\nhost = "127.0.0.1"\n${busy}`;
	t.match(await checkPorts(read(`[tls]\n${busy}[vosk]\n${own}`)), [
		{ about: "port" },
		{ about: "tls.port", state: "broken", says: /EADDRINUSE/ },
		{ about: "vosk.port", state: "broken", todo: /EARSHOT_VOSK_PORT/ },
	]);
	requests = 0;
	t.match(await checkPorts(read("", port)), [{ says: /^can't listen on/ }]);
	t.equal(requests, 1, "a program may take seconds to answer");
	text = '{"status":"000000"}';
	const running = await checkPorts(read(`[vosk]\n${own}`, port));
	t.match(running, [{ about: "port", says: /^earshot already answers/ }]);
	t.equal(running.length, 1, "it has the others already");
	for (const [text, says] of [
		[microphone('language = "klingon"'), /microphone door: language must be/],
		['[wyoming]\nenabled = true\nlanguage = "xx"', /^wyoming\.language must/],
		['[fleet]\nurl = "mqtt://h"\npassword = "x"', /requires fleet\.user/],
		['[outbound]\nallow = ["10.0.0.0/99"]', /outbound\.allow/],
	] as const)
		t.match(await checkSettings(read(text)), [{ state: "broken", says }], text);
	const certificate = read(
		'[fleet]\nurl = "mqtts://h"\ncert_file = "device.crt"',
	);
	t.match(await checkSettings(certificate, {}), [
		{ state: "warning", todo: /credential earshot\.fleet\.key/ },
	]);
	t.match(
		await checkSettings(certificate, { CREDENTIALS_DIRECTORY: "/none" }),
		[{ state: "broken", says: /must be set together/ }],
		"as the service, which sees them",
	);
	const fine = read(microphone('language = "en"'));
	t.match(await checkSettings(fine), [{ state: "ok" }]);
});

t.test(
	"models are present and unaltered, or reported as damaged",
	async (t) => {
		const files = {
			"silero_vad.onnx": {
				sha256: createHash("sha256").update("graph").digest("hex"),
				bytes: 5,
			},
		};
		const manifest = {
			schema: 1,
			name: "silero-vad",
			kind: "silero-vad",
			languages: [],
			licence: "MIT",
			source: "here",
			files,
		};
		const folder = t.testdir({
			"silero-vad": {
				"model.json": JSON.stringify(manifest),
				"silero_vad.onnx": "graph",
			},
		});
		const { model } = loadConfig({ environment: {} }).values;
		const check = (changes: Partial<Config["model"]> = {}) =>
			checkModels({ ...model, dir: folder, ...changes });
		const [speech, voice, ...others] = await check();
		t.match(speech, {
			state: "broken",
			says: /^there is no folder .*: copy the model package there/,
		});
		t.match(voice, { state: "ok", says: "1 files, checksums match" });
		t.strictSame(others, [], "the appliance does without the others");
		writeFileSync(join(folder, "silero-vad", "silero_vad.onnx"), "grapf");
		const [, altered] = await check();
		t.match(altered, { state: "broken", says: /was altered/ });
		const findings = await check({
			speakers: "silero-vad",
			by_language: { "ja-JP": "parakeet-ja" },
		});
		t.match(
			findings.map((it) => it.about),
			["model whisper-base", "model parakeet-ja", "model silero-vad"],
			"each package once",
		);
		t.match(findings[1], { state: "broken", todo: /models add parakeet-ja/ });
	},
);

t.test("a certificate of another user is no failed check", async (t) => {
	const dir = t.testdir({ tls: { "authority.pem": "" } });
	chmodSync(join(dir, "tls"), 0);
	const tls = { port: 7101, names: [], cert_file: "", key_file: "" };
	const isRoot = process.geteuid?.() === 0;
	if (isRoot) process.seteuid?.(65_534);
	try {
		t.match(await checkTls({ tls, state: { dir } } as never), [
			{
				state: "warning",
				says: /authority\.pem can't be opened \(EACCES\)$/,
				todo: /^run this as root/,
			},
		]);
	} finally {
		if (isRoot) process.seteuid?.(0);
		chmodSync(join(dir, "tls"), 0o700);
	}
});
