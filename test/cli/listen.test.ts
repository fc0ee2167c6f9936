import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import { ownOptions } from "../../runtime/cli/listen-session.js";
import { listenedMicrophone } from "../../runtime/cli/listened-microphone.js";
import { LiveLines } from "../../runtime/cli/live-lines.js";
import { loadConfig } from "../../runtime/config/load.js";
import { captureSettings } from "../../runtime/microphones/from-config.js";
import type { Language } from "../../runtime/text/languages.js";
import { endThatFits, textColumns } from "../../runtime/text/text-width.js";
import type { WordList } from "../../runtime/words/word-list.js";
import {
	type Caller,
	type FakeService,
	type Script,
	spoken,
	startService,
} from "../client/fake-service.js";
import { fakeAsound, fakeAsoundMissing } from "../microphones/fake-asound.js";

const main = fileURLToPath(new URL("../../runtime/main.js", import.meta.url));

interface Ran {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

async function listen(
	args: readonly string[],
	input?: Uint8Array,
	environment: Record<string, string> = {},
): Promise<Ran> {
	const child = spawn(process.execPath, [main, "listen", ...args], {
		env: { ...process.env, ...environment },
	});
	const ran = { out: "", err: "" };
	child.stdout.on("data", (data) => {
		ran.out += data;
	});
	child.stderr.on("data", (data) => {
		ran.err += data;
	});
	if (input) child.stdin.end(input);
	const code = await new Promise<number | null>((done) =>
		child.on("close", done),
	);
	return { code, ...ran };
}

/** Two sentences, sent when the audio is over. */
const twoSentences: Script = {
	onStart: (caller) => caller.send("TranscriptionStarted"),
	onStop: (caller) => {
		for (const index of [1, 2]) {
			caller.send("SentenceBegin", { index, time: 0 });
			caller.send("TranscriptionResultChanged", spoken("He might", index));
			caller.send("SentenceEnd", spoken(`Sentence ${index}.`, index));
		}
		caller.send("TranscriptionCompleted", { index: 2, time: 1 });
	},
};

function only(service: FakeService): Caller {
	const [caller] = service.callers;
	if (!caller) throw new Error("nobody called");
	return caller;
}

t.test("a file is transcribed, and its sentences are lines", async (t) => {
	const service = await startService(t, twoSentences);
	const file = join(t.testdir(), "a.pcm");
	writeFileSync(file, new Uint8Array(9001));
	const args = ["--url", service.url, "--file", file, "--speed", "0"];
	const ran = await listen([...args, "--lang", "JA", "--token", "secret"]);
	t.same(ran, { code: 0, out: "Sentence 1.\nSentence 2.\n", err: "" });
	const caller = only(service);
	t.same(caller.options, { lang_type: "ja-JP", format: "pcm" });
	t.equal(caller.headers.authorization, "Bearer secret");
	t.equal(caller.audioBytes, 9001);
});

t.test("after a wake word only", async (t) => {
	const service = await startService(t, {
		onStart: (caller) => caller.send("TranscriptionStarted"),
		onStop: (caller) => {
			caller.send("WakeWordDetected", spoken("小智小智", 0));
			caller.send("SentenceBegin", { index: 1, time: 0 });
			caller.send("SentenceEnd", spoken("开灯。", 1));
			caller.send("WaitingForWakeWord", { index: 1, time: 9 });
			caller.send("TranscriptionCompleted", { index: 1, time: 9 });
		},
	});
	const args = ["--url", service.url, "--file", "-", "--lang", "zh", "--wake"];
	const ran = await listen(
		[...args, "小智小智,你好小明:0.4"],
		new Uint8Array(9),
	);
	t.same(ran, { code: 0, out: "[小智小智]\n开灯。\n", err: "" });
	const wake_words = ["小智小智", "你好小明:0.4"];
	t.match(only(service).options, { wake_words });
	const json = await listen([...args, "小智小智", "--json"], new Uint8Array(9));
	const lines = json.out
		.trim()
		.split("\n")
		.map((it) => JSON.parse(it));
	t.same(
		lines.map((it) => it.is),
		["wake", "sentence-begin", "sentence", "sleep", "completed"],
	);
	t.match(lines[0], { text: "小智小智", confidence: Number });
	for (const [given, why] of [
		["小智", /must have 3 to 10 syllables/],
		["hello", /must be Chinese phrases/],
	] as const) {
		const refused = await listen([...args, given]);
		t.equal(refused.code, 2);
		t.match(refused.err, why);
	}
	const none = await listen(args);
	t.match(none.err, /--wake needs a phrase/);
});

t.test("standard input is raw samples, also at 8 kHz", async (t) => {
	const service = await startService(t, twoSentences);
	const args = ["--url", service.url, "--file", "-", "--rate", "8000"];
	const ran = await listen([...args, "--json"], new Uint8Array(5000), {
		EARSHOT_TOKEN: "from-environment",
	});
	t.equal(ran.code, 0, ran.err);
	const results = ran.out
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	t.same(
		results.map((it) => it.is),
		[
			"sentence-begin",
			"partial",
			"sentence",
			"sentence-begin",
			"partial",
			"sentence",
			"completed",
		],
	);
	t.match(results[2], { index: 1, text: "Sentence 1.", confidence: 0.9 });
	const caller = only(service);
	t.match(caller.options, { lang_type: "en-US", field: "call-center" });
	t.equal(caller.headers.authorization, "Bearer from-environment");
	t.equal(caller.audioBytes, 5000);
});

t.test("a file takes as long as its audio", async (t) => {
	const file = join(t.testdir(), "a.pcm");
	writeFileSync(file, new Uint8Array(96_000));
	let lastMs = 0;
	const service = await startService(t, {
		...twoSentences,
		onAudio: () => {
			lastMs = performance.now();
		},
	});
	const beginMs = performance.now();
	await listen(["--url", service.url, "--file", file]);
	// thirty packets of 100 ms; if one is late, the others follow sooner
	t.ok(lastMs - beginMs >= 2900, `${lastMs - beginMs} ms`);
});

t.test(
	"stopped while its microphone is unplugged, it ends",
	{ skip: fakeAsoundMissing },
	async (t) => {
		const service = await startService(t, twoSentences);
		const absent = { FAKE_READ: "0 0 -19", FAKE_OPEN: `0${" -2".repeat(99)}` };
		const args = ["listen", "--url", service.url, "--device", "hw:0,0"];
		const child = spawn(process.execPath, [main, ...args], {
			env: { ...process.env, ...fakeAsound(absent) },
		});
		let out = "";
		child.stdout.on("data", (data) => {
			out += data;
		});
		let err = "";
		child.stderr.on("data", (data) => {
			// now it waits for the card to come back; a second signal would not wait for the last results
			if (!/snd_pcm_open/.test(err) && /snd_pcm_open/.test(err + data))
				child.kill("SIGINT");
			err += data;
		});
		const code = await new Promise((done) => child.on("close", done));
		t.same({ code, out }, { code: 0, out: "Sentence 1.\nSentence 2.\n" });
	},
);

t.test("who gives no token is told how to give one", async (t) => {
	const service = await startService(t, {
		refuse: { http: 401, body: '{"status":"110001","message":"no token"}' },
	});
	const file = join(t.testdir(), "a.pcm");
	writeFileSync(file, new Uint8Array(2));
	const { code, err } = await listen(["--url", service.url, "--file", file]);
	t.equal(code, 1);
	t.match(err, /^earshot: [^\n]*--token[^\n]*EARSHOT_TOKEN[^\n]*\n$/);
	t.match(err, /earshot token create --name NAME/);
});

t.test("errors are one sentence", async (t) => {
	const service = await startService(t, {
		refuse: {
			http: 401,
			body: '{"status":"110002","message":"token is unknown"}',
		},
	});
	const file = join(t.testdir(), "a.pcm");
	writeFileSync(file, new Uint8Array(2));
	const errorOf = async (...args: string[]) => {
		const { code, out, err } = await listen(args);
		t.equal(out, "");
		t.match(err, /^earshot: [^\n]+\n$/);
		return `${code} ${err}`;
	};
	const url = ["--url", service.url];
	t.match(await errorOf(...url, "--file", file), /^1 .*token is unknown/);
	t.match(await errorOf(...url, "--file", "/no.wav"), /^1 .*no such file/);
	const nobody = ["--url", "http://127.0.0.1:1", "--file", file];
	t.match(await errorOf(...nobody), /^1 .*127\.0\.0\.1:1/);
	t.match(await errorOf("--file", file, "--lang", "xx"), /^2 .*--lang/);
	t.match(await errorOf("--file", file, "--speed", "-1"), /^2 .*--speed/);
	const { code } = await listen([]);
	t.equal(code, 2, "no file");
});

t.test("on a terminal a partial is rewritten in its line", async (t) => {
	const written: string[] = [];
	const screen = { isTTY: true, columns: 12 };
	const lines = new LiveLines({
		...screen,
		write: (text) => written.push(text),
	});
	lines.partial("今日は");
	lines.partial("今日はとてもいい");
	lines.final("今日はとてもいい天気\x1b[2J");
	lines.clear();
	const erase = "\r\x1b[2K";
	t.same(written, [
		`${erase}\x1b[2m今日は\x1b[0m`,
		`${erase}\x1b[2m…とてもいい\x1b[0m`,
		erase,
		"今日はとてもいい天気 [2J\n",
	]);
});

t.test("a character's columns", async (t) => {
	t.equal(textColumns("abc"), 3);
	t.equal(textColumns("今日は、ＡＢ"), 12);
	t.equal(textColumns("e\u0301"), 1);
	t.equal(endThatFits("今日は", 6), "今日は");
	t.equal(endThatFits("今日は", 5), "…日は");
	t.equal(endThatFits("今日は", 4), "…は");
	t.equal(endThatFits("abcdef", 3), "…ef");
});

t.test("an array whose card has further channels", async (t) => {
	const flags = { device: "hw:1,0", channels: "6", array: "respeaker-usb-4" };
	const settings = (channelMap?: string) => {
		const microphone = listenedMicrophone(
			{ ...flags, ...(channelMap !== undefined && { channelMap }) },
			() => t.fail("nothing is configured") as never,
		);
		return microphone && captureSettings(microphone);
	};
	t.match(settings("1,2,3,4"), { channels: 6, channelMap: [1, 2, 3, 4] });
	t.throws(() => settings(), /channel_map/);
	t.throws(() => settings("1,x"), {
		name: "UsageError",
		message: /^--channel-map must be numbers of channels .*; got 1,x$/,
	});
	t.throws(() => settings("1,16"), {
		name: "UsageError",
		message: /^microphone\.channel_map in the command line must be .*16/,
	});
	for (const channels of ["x", "0", "17", "1.5"])
		t.throws(
			() => listenedMicrophone({ ...flags, channels }, () => t.fail() as never),
			{
				name: "UsageError",
				message: `--channels must be a number from 1 to 16, got ${channels}`,
			},
		);
});

const front = `[[microphone]]
id = "front"
device = "hw:0,0"
language = "zh"
hotwords = ["工行"]
hotwords_id = "names"
hotwords_weight = 0.7
correction_words_id = "all"
forbidden_words_id = "rude|ruder"
`;

t.test("a configured microphone is listened to with its words", async (t) => {
	const atCapacity = { status: "100004", status_text: "at capacity" };
	const service = await startService(t, {
		onStart: (caller) => {
			caller.send("TaskFailed", {}, atCapacity); // no card is needed
			caller.socket.close(1013);
		},
	});
	const dir = t.testdir({ "earshot.toml": front, "words.txt": "开灯\n" });
	const environment = { EARSHOT_CONFIG: join(dir, "earshot.toml") };
	const optionsOf = async (...words: string[]) => {
		const args = ["--url", service.url, "--microphone", "front", ...words];
		const { code, err } = await listen(args, undefined, environment);
		t.equal(code, 1);
		t.match(err, /at capacity/);
		return service.callers.at(-1)?.options as Record<string, unknown>;
	};
	const lists = {
		hotwords_id: "names",
		hotwords_weight: 0.7,
		correction_words_id: "all",
		forbidden_words_id: "rude|ruder",
	};
	t.match(await optionsOf(), { ...lists, hotwords_list: ["工行"] });
	const given = await optionsOf("--hotwords", join(dir, "words.txt"));
	t.match(given, { ...lists, hotwords_list: ["开灯"] });
	const english = await optionsOf("--lang", "en");
	t.equal(english.lang_type, "en-US");
	t.same(
		Object.keys(english).filter((it) => /_list$|_id$/.test(it)),
		[],
		"those of another language would be refused",
	);
	const { values } = loadConfig({ environment, root: dir });
	const [microphone] = values.microphone;
	if (!microphone) throw new Error("no microphone");
	const ownWords = (language: Language, hotwords?: WordList) =>
		ownOptions(microphone, { language, hotwords, wakeWords: [] }, values)
			.hotwords;
	const chinese = "zh-cmn-Hans-CN";
	t.match(ownWords(chinese), { list: { entries: ["工行"] }, weight: 0.7 });
	const typed = { key: "typed", entries: ["开灯"] };
	t.match(ownWords(chinese, typed), { list: typed, weight: 0.7 });
	t.equal(ownWords("en-US"), undefined);
});

t.test("what only a device has is not taken for another", async (t) => {
	const dir = t.testdir({ "earshot.toml": front });
	const environment = { EARSHOT_CONFIG: join(dir, "earshot.toml") };
	for (const [source, ...words] of [
		["--microphone", "front", "--channels", "4"],
		["--microphone", "front", "--array", "respeaker-4"],
		["--file", "-", "--channel-map", "1,2"],
	] as const) {
		const all = ["--lang", "zh", source, ...words];
		const { code, err } = await listen(all, undefined, environment);
		t.equal(code, 2, all.join(" "));
		t.match(
			err,
			/^earshot: --(channels|array|channel-map) is for a --device: /,
		);
	}
});

t.test("an appliance that refuses the microphone's lists", async (t) => {
	const missing = {
		status: "210404",
		status_text: "hotword database does not exist",
	};
	const atCapacity = { status: "100004", status_text: "at capacity" };
	const service = await startService(t, {
		onStart: (caller) => {
			const { hotwords_id } = caller.options as Record<string, unknown>;
			caller.send("TaskFailed", {}, hotwords_id ? missing : atCapacity);
			caller.socket.close(hotwords_id ? 1008 : 1013);
		},
	});
	const dir = t.testdir({ "earshot.toml": front });
	const environment = { EARSHOT_CONFIG: join(dir, "earshot.toml") };
	const args = ["--url", service.url, "--microphone", "front"];
	const { err } = await listen(args, undefined, environment);
	t.match(err, /at capacity/);
	const [, again] = service.callers;
	t.match(again?.options, { hotwords_list: ["工行"], hotwords_weight: 0.7 });
	t.notOk(Object.keys(again?.options ?? {}).some((it) => it.endsWith("_id")));
});
