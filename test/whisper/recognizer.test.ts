import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import t from "tap";
import type { SegmentRequest } from "../../runtime/models/recognizer.js";
import type { Language } from "../../runtime/text/languages.js";
import {
	countErrors,
	errorPercent,
	type ScoredLanguage,
} from "../../scripts/benchmarks/scoring.js";
import { randomOf } from "../fuzz/random.js";
import { countingPort } from "./counting-port.js";
import {
	missing,
	modelDirectory,
	openRecognizer,
	readWav,
	sharedAudio,
	transcribe,
} from "./packages.js";

const noModel = missing(modelDirectory);
const noClips = noModel || missing(sharedAudio);
const clip = (name: string) => readWav(join(sharedAudio, name));

const request = (
	samples: Float32Array,
	language: Language,
	changed: Partial<SegmentRequest> = {},
): SegmentRequest => ({
	samples,
	language,
	beam: 5,
	punctuation: true,
	words: false,
	...changed,
});

let opened: ReturnType<typeof openRecognizer> | undefined;
/** Loaded once for the tests that do not inspect it. */
function recognizerOfAll(): ReturnType<typeof openRecognizer> {
	opened ??= openRecognizer(modelDirectory);
	return opened;
}
t.teardown(async () => (await opened)?.close());

t.test(
	"silence, noise, hum and tones give no text in any language",
	{
		skip: noModel,
	},
	async (t) => {
		const random = randomOf(1);
		const recognizer = await recognizerOfAll();
		const sine = (hz: number, s: number) => Math.sin(2 * Math.PI * hz * s);
		let brown = 0;
		const sounds: Record<string, (seconds: number) => number> = {
			silence: () => 0,
			hiss: () => (random() - 0.5) * 0.002,
			"white noise": () => (random() - 0.5) * 0.3,
			"brown noise": () => {
				brown = brown * 0.99 + (random() - 0.5) * 0.04;
				return brown;
			},
			"50 Hz hum": (s) =>
				0.2 * sine(50, s) + 0.05 * sine(100, s) + (random() - 0.5) * 0.004,
			beeps: (s) => (s % 1 < 0.2 ? 0.2 * sine(1000, s) : 0),
			knocks: (s) => (random() - 0.5) * Math.exp(-(s % 0.7) * 40),
		};
		const languages = ["zh-cmn-Hans-CN", "ja-JP", "en-US"] as const;
		for (const [i, [name, sample]] of Object.entries(sounds).entries()) {
			const samples = Float32Array.from({ length: 64_000 }, (_, n) =>
				sample(n / 16_000),
			);
			for (const language of languages.filter((_, at) => at !== i % 3)) {
				const { text, guards } = await transcribe(
					recognizer,
					request(samples, language),
				);
				t.equal(text, "", `${name} in ${language}: ${guards}`);
				t.ok(guards.length > 0, "a guard says why");
			}
		}
	},
);

t.test("real speech is understood", { skip: noClips }, async (t) => {
	const recognizer = await recognizerOfAll();
	const cases: Record<ScoredLanguage, [Language, string[], number]> = {
		// measured over these clips: zh 5.6, ja 8.4, en 1.9
		zh: [
			"zh-cmn-Hans-CN",
			["zh-fleurs-001", "zh-firered-1", "zh-fleurs-013"],
			12,
		],
		ja: ["ja-JP", ["ja-commonvoice-38853932", "ja-commonvoice-38843402"], 22],
		en: [
			"en-US",
			["en-fleurs-1", "en-jfk-1", "en-librispeech-1995-1837-0001"],
			6,
		],
	};
	const manifest: { file: string; reference: string }[] = JSON.parse(
		readFileSync(join(sharedAudio, "manifest.json"), "utf8"),
	);
	for (const [scored, [language, names, limit]] of Object.entries(cases)) {
		const counts = [];
		for (const name of names) {
			const { text, confidence } = await transcribe(
				recognizer,
				request(clip(`${name}.wav`), language),
			);
			const reference = manifest.find(
				(one) => one.file === `${name}.wav`,
			)?.reference;
			counts.push(countErrors(reference ?? "", text, scored as ScoredLanguage));
			t.ok(
				confidence > 0.5 && confidence <= 1,
				`${name}: confidence ${confidence}`,
			);
		}
		const percent = errorPercent(counts);
		t.ok(
			percent <= limit,
			`${scored}: ${percent.toFixed(1)} % errors, at most ${limit}`,
		);
	}
});

t.test("marks and words", { skip: noClips }, async (t) => {
	const recognizer = await recognizerOfAll();
	const samples = clip("zh-fleurs-013.wav");
	const both = await transcribe(
		recognizer,
		request(samples, "zh-cmn-Hans-CN", { words: true }),
	);
	t.match(both.text, /，/u, "a comma inside");
	t.match(both.text, /。$/u, "a full stop at the end");
	t.notMatch(both.text, /[a-z ,.?]/u, "full width, no spaces");
	t.equal(both.words.map((word) => word.text).join(""), both.text);
	const plain = await transcribe(
		recognizer,
		request(samples, "zh-cmn-Hans-CN", { punctuation: false, words: true }),
	);
	t.equal(plain.text, both.text.replace(/\p{P}/gu, ""), "not a word changes");
	t.ok(plain.words.every((word) => word.kind === "normal"));
	t.same(plain.tokens, both.tokens);

	let before = 0;
	for (const word of both.words) {
		t.ok(word.startSeconds >= before && word.endSeconds >= word.startSeconds);
		t.ok(word.confidence >= 0 && word.confidence <= 1);
		before = word.endSeconds;
	}
	t.ok(before <= samples.length / 16_000);
});

t.test(
	"words have the times at which they were spoken",
	{ skip: noClips },
	async (t) => {
		const recognizer = await recognizerOfAll();
		// one word each, between silences: its boundaries are unambiguous
		const first = clip("en-alnum-seven-evmaki.wav");
		const second = clip("en-alnum-three-evmaki.wav");
		const samples = new Float32Array(48_000);
		samples.set(first, 0);
		samples.set(second, 28_000); // 1.75 s
		const { words } = await transcribe(
			recognizer,
			request(samples, "en-US", { words: true }),
		);
		const spoken = words.filter((word) => word.kind === "normal");
		t.equal(spoken.length, 2, spoken.map((word) => word.text).join(" "));
		const edges = [
			[edgesOf(first), 0],
			[edgesOf(second), 1.75],
		] as const;
		edges.forEach(([[start, end], offset], i) => {
			const word = spoken[i];
			const off = [
				(word?.startSeconds ?? 0) - start - offset,
				(word?.endSeconds ?? 0) - end - offset,
			];
			t.ok(
				off.every((seconds) => Math.abs(seconds) <= 0.15),
				`${word?.text} is off by ${off.map((seconds) => seconds.toFixed(2))} s`,
			);
		});
	},
);

/** First and last 10 ms in which a clip is less than 30 dB below its loudest. */
function edgesOf(samples: Float32Array): [number, number] {
	const power = Array.from({ length: samples.length / 160 }, (_, i) =>
		samples
			.subarray(i * 160, i * 160 + 160)
			.reduce((sum, sample) => sum + sample * sample, 0),
	);
	const bound = Math.max(...power) / 1000;
	const sounding = power.flatMap((one, i) => (one > bound ? [i] : []));
	return [(sounding[0] ?? 0) / 100, ((sounding.at(-1) ?? 0) + 1) / 100];
}

t.test("settled tokens are forced", { skip: noClips }, async (t) => {
	const recognizer = await recognizerOfAll();
	const samples = clip("en-librivox-0930.wav");
	const free = await transcribe(recognizer, request(samples, "en-US"));
	const again = await transcribe(
		recognizer,
		request(samples, "en-US", {
			prefixTokens: free.tokens.slice(0, 4),
			words: true,
		}),
	);
	t.same(again.tokens, free.tokens, "what it found itself changes nothing");
	t.equal(again.text, free.text);
	t.equal(again.words.filter((word) => word.kind === "normal").length, 8);
	const other = [4165, 1062]; // " She might"
	const forced = await transcribe(
		recognizer,
		request(samples, "en-US", { prefixTokens: other }),
	);
	t.same(forced.tokens.slice(0, 2), other);
	t.match(forced.text, /amiable himself/);
});

t.test(
	"cancelling ends the work between two steps",
	{ skip: noClips },
	async (t) => {
		const { port, alive } = countingPort();
		const recognizer = await openRecognizer(modelDirectory, port);
		const samples = clip("en-jfk-1.wav");
		for (const patience of [0, 1, 5]) {
			let checks = 0;
			const answer = await recognizer.recognize(
				request(samples, "en-US", { cancelled: () => checks++ >= patience }),
			);
			t.equal(answer, "cancelled");
			t.equal(checks, patience + 1, "asked no more after that");
		}
		t.equal(alive(), 0, "nothing is left of what the graphs computed");
		await recognizer.close();
	},
);

function residentMegabytes(): number {
	setFlagsFromString("--expose-gc");
	runInNewContext("gc")();
	return process.memoryUsage().rss / 2 ** 20;
}

t.test("memory stays flat", { skip: noClips }, async (t) => {
	const { port, alive } = countingPort();
	const recognizer = await openRecognizer(modelDirectory, port);
	const samples = clip("en-fwstereo-L.wav").slice(0, 16_000);
	const decode = () =>
		transcribe(recognizer, request(samples, "en-US", { words: true }));
	// libraries keep their memory, and V8 its garbage until it needs the space: neither is a leak
	for (let i = 0; i < 12; i++) await decode();
	const before = residentMegabytes();
	for (let i = 0; i < 12; i++) await decode();
	const grown = residentMegabytes() - before;
	t.ok(grown < 6, `12 decodes more: ${grown.toFixed(1)} MB more`);
	t.equal(alive(), 0, "every tensor was given back");
	await recognizer.close();
});

t.test(
	"more than 30 s is an error of the caller",
	{ skip: noModel },
	async (t) => {
		const recognizer = await recognizerOfAll();
		await t.rejects(
			recognizer.recognize(request(new Float32Array(480_001), "en-US")),
			RangeError,
		);
	},
);
