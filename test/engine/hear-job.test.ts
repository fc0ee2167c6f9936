/**
 * Files as an engine hears them, on speech that is only a plan (see session/rehearsal): the file, its decoding, the segmenter and the job are real.
 */
import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import {
	type HearParts,
	hearFile,
} from "../../runtime/engine/child/hear-job.js";
import { RecognizerPool } from "../../runtime/engine/child/pool/recognizer-pool.js";
import type {
	FileEvent,
	FileSource,
	HearJob,
} from "../../runtime/engine/file-job.js";
import type {
	Hypothesis,
	SegmentRequest,
} from "../../runtime/models/recognizer.js";
import { whisperCapabilities } from "../../runtime/models/whisper/recognizer.js";
import { filePassageRules } from "../../runtime/segmentation/rules.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";
import { randomOf, speech } from "../session/rehearsal.js";
import { options as laneOptions, rejectsWith } from "./fake-lane.js";

type Heard = Extract<FileEvent, { readonly is: "heard" }>;

/** One word for each stretch of speech: its length in windows. */
function wordsOf({ samples }: SegmentRequest): Hypothesis {
	const words: Hypothesis["words"][number][] = [];
	for (let at = 0; at < samples.length; at += 512) {
		const start = at;
		while (at < samples.length && (samples[at] as number) > 0.5) at += 512;
		if (at > start)
			words.push({
				text: `${(at - start) / 512}`,
				startSeconds: start / 16_000,
				endSeconds: at / 16_000,
				kind: "normal",
				confidence: 0.5,
			});
	}
	const text = words.map((it) => it.text).join(" ");
	return { text, words, tokens: [], confidence: 0.8, guards: [] };
}

interface Performance {
	readonly events: FileEvent[];
	readonly requests: SegmentRequest[];
	readonly audioMs: number;
}

interface Scene extends Partial<Pick<HearParts, "decoder">> {
	readonly source?: Partial<FileSource>;
	readonly job?: Partial<HearJob>;
	readonly options?: Partial<RecognitionOptions>;
	readonly recognize?: (request: SegmentRequest) => Hypothesis;
	/** Of batches, after which each is answered. */
	readonly turns?: () => number;
	/** Segments in the next batch, at most. */
	readonly together?: () => number;
	/** Copies of the recognizer. */
	readonly copies?: number;
	readonly signal?: AbortSignal;
	readonly onEvent?: (event: FileEvent) => void;
}

async function hear(path: string, scene: Scene = {}): Promise<Performance> {
	const events: FileEvent[] = [];
	const requests: SegmentRequest[] = [];
	const recognize = scene.recognize ?? wordsOf;
	const recognizeAll = async (all: readonly SegmentRequest[]) => {
		requests.push(...all);
		for (let turn = scene.turns?.() ?? 0; turn > 0; turn--)
			await new Promise((resolve) => setImmediate(resolve));
		return all.map((it) => (it.cancelled?.() ? "cancelled" : recognize(it)));
	};
	const copy = { recognizeAll, close: async () => {} };
	const pool = new RecognizerPool({
		...copy,
		name: "planned",
		languages: ["en-US"],
		capabilities: whisperCapabilities,
		recognize: async () => "cancelled",
		nextBatch: (waiting) => waiting.slice(0, scene.together?.() ?? 8),
	});
	for (let i = 1; i < (scene.copies ?? 1); i++)
		pool.join({ ...copy, isGone: false, batchesMax: 2 });
	const parts: HearParts = {
		pool,
		models: {
			createFileSegmenter: () =>
				new SpeechSegmenter(
					{
						windowSamples: 512,
						accept: async (windows) =>
							windows
								.filter((_, i) => i % 512 === 0)
								.map((it) => Math.max(0, it)),
						reset() {},
					},
					filePassageRules(),
				),
		},
		decoder: scene.decoder ?? openFfmpeg(),
		beam: 5,
	};
	const source: FileSource = {
		path,
		format: "pcm",
		sampleRateHz: 16000,
		channels: 1,
		gain: 1,
		durationSecondsMax: 3600,
		...scene.source,
	};
	const { hotwords, corrections, forbidden, ...sent } = laneOptions;
	const job: HearJob = {
		is: "hear",
		source,
		options: sent,
		resume: [],
		skip: [],
		oneByOne: false,
		...scene.job,
	};
	const options = { ...laneOptions, punctuation: false, ...scene.options };
	const home = {
		tell: (event: FileEvent) => {
			events.push(event);
			scene.onEvent?.(event);
		},
		signal: scene.signal ?? new AbortController().signal,
	};
	const audioMs = await hearFile(parts, job, options, home);
	return { events, requests, audioMs };
}

function pcmOf(...channels: Float32Array[]): Buffer {
	const frames = Math.max(...channels.map((it) => it.length));
	const bytes = Buffer.alloc(frames * channels.length * 2);
	for (let i = 0; i < frames; i++)
		channels.forEach((samples, c) => {
			const value = Math.round((samples[i] ?? 0) * 32767);
			bytes.writeInt16LE(value, (i * channels.length + c) * 2);
		});
	return bytes;
}

function fileOf(t: Test, bytes: Uint8Array, name = "audio"): string {
	const path = join(t.testdir(), name);
	writeFileSync(path, bytes);
	return path;
}

function heardIn(events: readonly FileEvent[], channel = 1): Heard[] {
	return events.filter(
		(it): it is Heard => it.is === "heard" && it.channel === channel,
	);
}

function utterancesIn(events: readonly FileEvent[], channel = 1) {
	return heardIn(events, channel).flatMap(({ utterances }) => utterances);
}

/** Speech with pauses of all lengths, some minutes of it. */
function talk(random: () => number, seconds: number): Float32Array {
	const parts: number[] = [];
	for (let ms = 0; ms < seconds * 1000; ) {
		const spoken = 32 * Math.ceil(3 + 100 * random());
		const silent =
			32 * Math.ceil(random() < 0.1 ? 160 + 60 * random() : 2 + 40 * random());
		parts.push(spoken, -silent);
		ms += spoken + silent;
	}
	return speech(...parts);
}

t.test("sentences end where the speaker pauses for long enough", async (t) => {
	const path = fileOf(
		t,
		pcmOf(speech(-512, 1024, -640, 960, -992, 2048, -512)),
	);
	const { events, audioMs } = await hear(path);
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
	const longer = await hear(path, { options: { maxSentenceSilenceMs: 1200 } });
	t.same(
		utterancesIn(longer.events).map(({ text }) => text),
		["32 30 64"],
	);
	const words = await hear(path, { options: { words: true } });
	t.same(
		utterancesIn(words.events).map((it) => it.words.map(({ text }) => text)),
		[["32", "30"], ["64"]],
	);
});

t.test("however the file is read, the same is heard", async (t) => {
	const seed = Date.now() % 2 ** 31;
	t.comment(`seed ${seed}`);
	const random = randomOf(seed);
	const samples = talk(random, 150);
	const whole = await hear(fileOf(t, pcmOf(samples)));
	const wav = Buffer.alloc(12);
	wav.write("....ftypM4A ", "latin1");
	const pieces = await hear(fileOf(t, wav, "cut.m4a"), {
		source: { format: "m4a" },
		decoder: {
			async *decodeFile() {
				for (let at = 0; at < samples.length; ) {
					const length = Math.ceil(random() * 20_000);
					yield samples.slice(at, at + length);
					at += length;
				}
			},
			decodeBytes: () => {
				throw new Error("a file can be sought in");
			},
		},
	});
	t.same(heardIn(pieces.events), heardIn(whole.events));
	t.ok(whole.requests.every(({ samples }) => samples.length <= 28 * 16_000));
});

t.test("a job that goes on from anywhere tells the rest", async (t) => {
	const seed = Date.now() % 2 ** 31;
	t.comment(`seed ${seed}`);
	const path = fileOf(t, pcmOf(talk(randomOf(seed), 120)));
	const told = heardIn((await hear(path)).events);
	for (const [i, { resume }] of told.entries()) {
		const rest = await hear(path, { job: { resume: [resume] } });
		t.same(
			heardIn(rest.events).flatMap((it) =>
				it.utterances.map((u) => [u.index, u.text]),
			),
			told
				.slice(i + 1)
				.flatMap((it) => it.utterances.map((u) => [u.index, u.text])),
			`from sample ${resume.sample}`,
		);
	}
});

t.test("what is to be skipped is marked, and never tried", async (t) => {
	const path = fileOf(
		t,
		pcmOf(speech(-512, 1024, -6400, 2048, -6400, 960, -512)),
	);
	const whole = await hear(path);
	const tried = whole.events.flatMap((it) =>
		it.is === "trying" ? it.stretches : [],
	);
	t.equal(tried.length, 3);
	const bad = tried[1];
	if (!bad) throw new Error("no second passage");
	const skip = [{ ...bad, startSample: bad.startSample - 512 }];
	const { events } = await hear(path, { job: { skip } });
	const again = events.flatMap((it) =>
		it.is === "trying" ? it.stretches : [],
	);
	t.same(again, [tried[0], tried[2]]);
	t.same(
		utterancesIn(events).map(({ index, text, skipped }) => [
			index,
			text,
			skipped,
		]),
		[
			[1, "32", undefined],
			[2, "", true],
			[3, "30", undefined],
		],
	);
});

t.test("one by one, each is announced alone", async (t) => {
	const path = fileOf(t, pcmOf(speech(1024, -6400, 2048, -6400, 960)));
	const { events } = await hear(path, { job: { oneByOne: true } });
	t.same(
		events.filter(({ is }) => is !== "progress").map(({ is }) => is),
		["trying", "heard", "trying", "heard", "trying", "heard"],
	);
});

t.test("what several copies hear at once is told in its order", async (t) => {
	const seed = Date.now() % 2 ** 31;
	t.comment(`seed ${seed}`);
	const random = randomOf(seed);
	const path = fileOf(t, pcmOf(talk(random, 600)));
	const whole = await hear(path);
	let longest = 0;
	const untold = new Set<number>();
	const { events } = await hear(path, {
		copies: 3,
		together: () => 1 + Math.floor(random() * 8),
		turns: () => Math.floor(random() * 30),
		onEvent: (event) => {
			if (event.is === "trying") {
				// whoever dies now died of one that is not told yet, and all of these are named
				untold.clear();
				for (const { endSample } of event.stretches) untold.add(endSample);
				longest = Math.max(longest, untold.size);
			}
			if (event.is === "heard")
				t.ok(untold.delete(event.resume.sample), "it was announced");
		},
	});
	t.same(heardIn(events), heardIn(whole.events));
	t.ok(longest > 8, `${longest} at once`);
	t.equal(untold.size, 0);
});

t.test("two channels are two talkers", async (t) => {
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
	check((await hear(path, { source })).events, "raw");
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
		(await hear(wav, { source: { ...source, format: "wav" } })).events,
		"wav",
	);
	const mixed = await hear(wav, { source: { format: "wav" } });
	t.equal(utterancesIn(mixed.events, 2).length, 0);
});

t.test("stereo goes on by channel", async (t) => {
	const seed = Date.now() % 2 ** 31;
	t.comment(`seed ${seed}`);
	const random = randomOf(seed);
	const path = fileOf(t, pcmOf(talk(random, 100), talk(random, 120)));
	const source = { channels: 2 } as const;
	const whole = (await hear(path, { source })).events;
	const stops = [heardIn(whole, 1)[2], heardIn(whole, 2)[1]];
	const resume = stops.map((it) => it?.resume ?? { sample: 0, index: 1 });
	const rest = (await hear(path, { source, job: { resume } })).events;
	t.same(
		utterancesIn(rest, 1).map(({ text }) => text),
		heardIn(whole, 1)
			.slice(3)
			.flatMap((it) => it.utterances.map(({ text }) => text)),
	);
	t.same(
		utterancesIn(rest, 2).map(({ text }) => text),
		heardIn(whole, 2)
			.slice(2)
			.flatMap((it) => it.utterances.map(({ text }) => text)),
	);
});

t.test("a job ends when nobody wants it any more", async (t) => {
	const path = fileOf(t, pcmOf(talk(randomOf(1), 120)));
	const abort = new AbortController();
	let told = 0;
	const run = hear(path, {
		signal: abort.signal,
		onEvent: () => {
			told++;
			abort.abort();
		},
	});
	await t.rejects(run);
	t.ok(told <= 2, `${told} events`);
});

t.test("bad files are refused with a reason", async (t) => {
	const samples = speech(3000);
	const fails = (path: string, scene: Scene, status: string) =>
		rejectsWith(t, hear(path, scene), { status });
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
	truncateSync(mp4, 20_000); // its index is gone
	await fails(mp4, { source: { format: "mp4" } }, "200006");
});

t.test("a decoder that is killed fails the job", async (t) => {
	const folder = t.testdir();
	const wav = join(folder, "long.flac");
	execFileSync("ffmpeg", [
		...["-v", "error", "-f", "lavfi", "-i", "sine=d=600", wav],
	]);
	const program = join(folder, "dying-ffmpeg");
	writeFileSync(
		program,
		'#!/bin/sh\nffmpeg "$@" | head -c 2000000\nkill -9 $$\n',
		{ mode: 0o755 },
	);
	await rejectsWith(
		t,
		hear(wav, {
			source: { format: "flac" },
			decoder: openFfmpeg({ program }),
		}),
		{ status: "200006" },
	);
});

t.test(
	"two who follow closely are both heard, though together only one is",
	async (t) => {
		const path = fileOf(t, pcmOf(speech(-1000, 2000, -900, 3000, -2000)));
		const tried: unknown[] = [];
		const { events, requests } = await hear(path, {
			onEvent: (event) => {
				if (event.is === "trying") tried.push(event);
			},
			recognize: (request) => {
				const whole = wordsOf(request);
				const words = whole.words.slice(0, 1); // the second is left out
				const text = words.map((it) => `${it.text} and more`).join(" ");
				return { ...whole, words: words.map((it) => ({ ...it, text })), text };
			},
		});
		const told = events.flatMap((it) =>
			it.is === "heard" ? it.utterances : [],
		);
		t.equal(requests.length, 3, "both together, then each");
		t.equal(tried.length, 1);
		t.match(
			told.map(({ text, index }) => ({ text, index })),
			[
				{ text: /^6\d and more$/, index: 1 },
				{ text: /^9\d and more$/, index: 2 },
			],
		);
		t.ok((told[0]?.endMs ?? 0) <= (told[1]?.beginMs ?? 0));
	},
);
