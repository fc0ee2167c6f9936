/**
 * Files in an engine, with scripted speech (see session/rehearsal): the file, its decoding, the segmenter and the job are real.
 */
import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import type { FileEvent } from "../../runtime/engine/file-job.js";
import type { Language } from "../../runtime/text/languages.js";
import { eventually } from "../fixtures/eventually.js";
import { holds } from "../fuzz/holds.js";
import { randomOf } from "../fuzz/random.js";
import { speech } from "../session/rehearsal.js";
import { rejectsWith } from "./fake-lane.js";
import {
	copiesReportInOrder,
	jobsGoOn,
	readingMakesNoDifference,
	talk,
} from "./recognition-job.property.js";
import {
	fileOf,
	pcmOf,
	poolOf,
	type Scene,
	transcribe,
	utterancesIn,
	wordsOf,
} from "./recognized-file.js";

t.test("sentences end where the speaker pauses for long enough", async (t) => {
	const path = fileOf(
		t,
		pcmOf(speech(-512, 1024, -640, 960, -992, 2048, -512)),
	);
	const { events, audioMs } = await transcribe(path);
	const utterances = utterancesIn(events);
	t.equal(audioMs, 6688);
	t.same(
		utterances.map(({ index, text }) => [index, text]),
		[
			[1, "32 30"],
			[2, "64"],
		],
	);
	const [first, second] = utterances;
	t.ok((first?.endMs ?? 0) <= 3136 + 200 && (first?.endMs ?? 0) >= 3136);
	t.ok((second?.beginMs ?? 0) >= 3336 && (second?.beginMs ?? 0) <= 4128);
	t.same(first?.words, [], "nobody asked for words");
	const longer = await transcribe(path, {
		options: { maxSentenceSilenceMs: 1200 },
	});
	t.same(
		utterancesIn(longer.events).map(({ text }) => text),
		["32 30 64"],
	);
	const words = await transcribe(path, { options: { words: true } });
	t.same(
		utterancesIn(words.events).map((it) => it.words.map(({ text }) => text)),
		[["32", "30"], ["64"]],
	);
});

t.test("mixed speech goes on over longer pauses", async (t) => {
	const path = fileOf(t, pcmOf(speech(-512, 1024, -1600, 960, -2304, 2048)));
	const passagesIn = async (language: Language) =>
		(await transcribe(path, { options: { language } })).requests.length;
	t.equal(await passagesIn("en-US"), 3);
	t.equal(await passagesIn("ja-JP-en-US"), 2, "so that it shows its language");
});

t.test("behind a pause a sentence begins with a capital letter", async (t) => {
	const path = fileOf(t, pcmOf(speech(-512, 2048, -992, 2048, -2048)));
	const word = { kind: "normal", confidence: 1 } as const;
	const { events } = await transcribe(path, {
		options: { language: "en-US", punctuation: true },
		recognize: () => ({
			text: "For you, ask what",
			tokens: [],
			confidence: 1,
			words: [
				{ ...word, text: "For", startSeconds: 0.2, endSeconds: 1 },
				{ ...word, text: "you", startSeconds: 1, endSeconds: 2 },
				{ ...word, text: ",", startSeconds: 2, endSeconds: 2, kind: "punc" },
				{ ...word, text: "ask", startSeconds: 3.3, endSeconds: 4 },
				{ ...word, text: "what", startSeconds: 4, endSeconds: 5 },
			],
			guards: [],
		}),
	});
	t.same(
		utterancesIn(events).map(({ text }) => text),
		["For you.", "Ask what"],
	);
});

t.test("the recognizer receives the share of sure speech", async (t) => {
	const path = fileOf(
		t,
		pcmOf(speech(-512, 1024, -640, 960, -2048, 2048, -512)),
	);
	const { requests } = await transcribe(path);
	t.same(
		requests.map((it) => it.voiceActivity?.voicedSeconds),
		[1.984, 2.048],
	);
	const parted = await transcribe(path, {
		// nothing of the passage's second half: it is recognized again in pieces
		recognize: (request) => {
			const { words, ...rest } = wordsOf(request);
			const [first] = words;
			return { ...rest, text: first?.text ?? "", words: words.slice(0, 1) };
		},
	});
	const again = parted.requests.slice(requests.length);
	t.same(
		new Set(again.map((it) => it.voiceActivity?.voicedSeconds)),
		new Set([1.024, 0.96]),
		"each piece has its own share",
	);
});

await holds(t, readingMakesNoDifference(t), 3);
await holds(t, jobsGoOn(t), 8);

t.test("speech without a text is reported with its reason", async (t) => {
	const path = fileOf(
		t,
		pcmOf(speech(-512, 1024, -640, 960, -2048, 2048, -512)),
	);
	const silent = { text: "", tokens: [], confidence: 0, words: [] };
	const { events } = await transcribe(path, {
		recognize: (request) =>
			request.voiceActivity?.voicedSeconds === 2.048
				? {
						...silent,
						guards: ["repetition: decoded again with a wider context", "doubt"],
					}
				: wordsOf(request),
	});
	t.same(
		utterancesIn(events).map(({ index, text, unheard }) => [
			index,
			text,
			unheard,
		]),
		[
			[1, "32 30", undefined],
			[2, "", { why: "doubt", seconds: 2.048 }],
		],
	);
	const half = await transcribe(path, {
		// only the first word of any segment
		recognize: (request) => {
			const { words, ...rest } = wordsOf(request);
			const isFirst = request.voiceActivity?.voicedSeconds !== 0.96;
			const [first] = isFirst ? words : [];
			return { ...rest, text: first?.text ?? "", words: first ? [first] : [] };
		},
	});
	const texts = utterancesIn(half.events).map(({ text, unheard }) => [
		text,
		unheard,
	]);
	t.same(texts[0], ["32", undefined]);
	t.same(texts[1], ["", { why: "no words", seconds: 0.96 }]);
});

t.test("what is to be skipped is marked, and never tried", async (t) => {
	const path = fileOf(
		t,
		pcmOf(speech(-512, 1024, -6400, 2048, -6400, 960, -512)),
	);
	const whole = await transcribe(path);
	const tried = whole.events.flatMap((it) =>
		it.is === "trying" ? it.stretches : [],
	);
	t.equal(tried.length, 3);
	const bad = tried[1];
	if (!bad) throw new Error("no second passage");
	const skip = [{ ...bad, startSample: bad.startSample - 512 }];
	const { events } = await transcribe(path, { job: { skip } });
	const again = events.flatMap((it) =>
		it.is === "trying" ? it.stretches : [],
	);
	t.same(again, [tried[0], tried[2]]);
	t.same(
		utterancesIn(events).map(({ index, text, skipped, unheard }) => [
			index,
			text,
			skipped,
			unheard,
		]),
		[
			[1, "32", undefined, undefined],
			[2, "", true, { why: "skipped", seconds: 2.048 }],
			[3, "30", undefined, undefined],
		],
	);
});

t.test("one by one, each is announced alone", async (t) => {
	const path = fileOf(t, pcmOf(speech(1024, -6400, 2048, -6400, 960)));
	const { events } = await transcribe(path, { job: { oneByOne: true } });
	t.same(
		events.filter(({ is }) => is !== "progress").map(({ is }) => is),
		["trying", "heard", "trying", "heard", "trying", "heard"],
	);
});

t.test("several copies", async (t) => {
	const tried = await holds(t, copiesReportInOrder(t), 6);
	t.ok(tried.has("many at once"));
});

t.test("two channels are two speakers", async (t) => {
	const left = speech(-512, 1024, -9024);
	const right = speech(-8000, 2048, -512);
	const check = (events: readonly FileEvent[], how: string) => {
		t.same(
			utterancesIn(events, 1).map(({ text }) => text),
			["32"],
			how,
		);
		t.same(
			utterancesIn(events, 2).map(({ text }) => text),
			["64"],
			how,
		);
		t.same(utterancesIn(events, 2)[0]?.index, 1, "each counts on its own");
	};
	const raw = pcmOf(left, right);
	const path = fileOf(t, raw);
	const source = { channels: 2 } as const;
	check((await transcribe(path, { source })).events, "raw");
	const wav = join(t.testdir(), "stereo.wav");
	execFileSync(
		"ffmpeg",
		[
			...["-v", "error", "-f", "s16le", "-ar", "16000", "-ac", "2", "-i", "-"],
			wav,
		],
		{ input: raw },
	);
	check(
		(await transcribe(wav, { source: { ...source, format: "wav" } })).events,
		"wav",
	);
	const mixed = await transcribe(wav, { source: { format: "wav" } });
	t.equal(utterancesIn(mixed.events, 2).length, 0);
});

t.test("a file that waits for another one's batch is alive", async (t) => {
	let reports = 0;
	const batches: string[] = [];
	const pool = poolOf(async (requests) => {
		const isFirst = batches.length === 0;
		batches.push(requests.map((it) => wordsOf(it).text).join());
		if (isFirst)
			await eventually("reports of the file that waits", () => {
				for (const { cancelled } of requests) cancelled?.();
				return reports >= 3;
			});
		return requests.map(wordsOf);
	});
	const first = transcribe(fileOf(t, pcmOf(speech(1024)), "first"), { pool });
	await eventually("its batch", () => batches.length);
	const { events } = await transcribe(
		fileOf(t, pcmOf(speech(2048)), "second"),
		{ pool, onEvent: ({ is }) => void (is === "progress" && reports++) },
	);
	t.same(batches, ["32", "64"]);
	t.equal(utterancesIn(events)[0]?.text, "64");
	await first;
});

t.test("a cancelled job ends", async (t) => {
	const path = fileOf(t, pcmOf(speech(...talk(randomOf(1), 120))));
	const abort = new AbortController();
	let reported = 0;
	const run = transcribe(path, {
		signal: abort.signal,
		onEvent: () => {
			reported++;
			abort.abort();
		},
	});
	await t.rejects(run);
	t.ok(reported <= 2, `${reported} events`);
});

t.test("bad files are refused with a reason", async (t) => {
	const samples = speech(3000);
	const fails = (path: string, scene: Scene, status: string) =>
		rejectsWith(t, transcribe(path, scene), { status });
	await fails(fileOf(t, Buffer.alloc(0)), {}, "200007");
	await fails(
		fileOf(t, Buffer.alloc(0)),
		{ source: { channels: 2 } },
		"200007",
	);
	await fails(
		fileOf(t, pcmOf(samples)),
		{ source: { durationSecondsMax: 2 } },
		"200005",
	);
	await fails(
		fileOf(t, pcmOf(samples, samples)),
		{ source: { durationSecondsMax: 2, channels: 2 } },
		"200005",
	);
	await fails(
		fileOf(t, Buffer.from("this is no audio at all")),
		{ source: { format: "mp3" } },
		"200006",
	);
	const mp4 = join(t.testdir(), "tone.mp4");
	execFileSync("ffmpeg", [
		...["-v", "error", "-f", "lavfi", "-i", "sine=d=5", "-c:a", "aac", mp4],
	]);
	truncateSync(mp4, 20_000); // without its index
	await fails(mp4, { source: { format: "mp4" } }, "200006");
});

t.test("a decoder that is killed fails the job", async (t) => {
	const folder = t.testdir();
	const wav = join(folder, "long.flac");
	execFileSync("ffmpeg", [
		...["-v", "error", "-f", "lavfi", "-i", "sine=d=120", wav],
	]);
	const program = join(folder, "dying-ffmpeg");
	writeFileSync(
		program,
		'#!/bin/sh\nffmpeg "$@" | head -c 2000000\nkill -9 $$\n',
		{ mode: 0o755 },
	);
	await rejectsWith(
		t,
		transcribe(wav, {
			source: { format: "flac" },
			decoder: openFfmpeg({ program }),
		}),
		{ status: "200006" },
	);
});

t.test(
	"two speakers in close succession are both recognized, though together only one is",
	async (t) => {
		const path = fileOf(t, pcmOf(speech(-1000, 2000, -900, 3000, -2000)));
		const tried: unknown[] = [];
		const { events, requests } = await transcribe(path, {
			onEvent: (event) => {
				if (event.is === "trying") tried.push(event);
			},
			recognize: (request) => {
				const whole = wordsOf(request);
				const words = whole.words.slice(0, 1); // leaves out the second
				const text = words.map((it) => `${it.text} and more`).join(" ");
				return { ...whole, words: words.map((it) => ({ ...it, text })), text };
			},
		});
		const utterances = events.flatMap((it) =>
			it.is === "heard" ? it.utterances : [],
		);
		t.equal(requests.length, 3, "both together, then each");
		t.equal(tried.length, 1);
		t.match(
			utterances.map(({ text, index }) => ({ text, index })),
			[
				{ text: /^6\d and more$/, index: 1 },
				{ text: /^9\d and more$/, index: 2 },
			],
		);
		t.ok((utterances[0]?.endMs ?? 0) <= (utterances[1]?.beginMs ?? 0));
	},
);
