/** A job on a file's voices: the real model on two readers who take turns, as WAV and as MP3. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import { openOnnx } from "../../drivers/onnx/session.js";
import { DiarizationWorker } from "../../runtime/engine/child/diarization-worker.js";
import type { JobEvent } from "../../runtime/engine/child/file-jobs.js";
import type {
	DiarizationJob,
	FileSource,
	Turn,
} from "../../runtime/engine/file-job.js";
import { CodedError } from "../../runtime/errors.js";
import {
	type OnSpan,
	SegmentationDetector,
} from "../../runtime/models/speech-segmentation/detector.js";
import { openSegmentation } from "../../runtime/models/speech-segmentation/network.js";
import { MixedDetector } from "../../runtime/segmentation/mixed-detector.js";
import type { EndpointRules } from "../../runtime/segmentation/rules.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import { ownClipFolder, readClip } from "../audio/clips.js";
import { openTestSilero } from "../silero/silero-model.js";

const settings = {
	speakerFolder: "models/campplus-zh-en",
	// a second one waits for the first
	threads: 1,
	verify: true,
};
const silero = await openTestSilero();
const models = {
	createFileSegmenter: (rules: EndpointRules) =>
		new SpeechSegmenter(silero.createDetector(), rules),
};
const worker = new DiarizationWorker(
	openOnnx(),
	models,
	openFfmpeg(),
	settings,
);
t.teardown(async () => {
	await worker.close();
	await silero.close();
});

/** Austen's reader, a Japanese one, and each again: file, and from where to where in it, seconds. */
const parts = [
	["en-librivox-0870.wav", 0, 7],
	["ja-kokoro-meeting.wav", 0, 2.4],
	["en-librivox-0920.wav", 0, 6],
	["ja-kokoro-meeting.wav", 2.4, 4.9],
] as const;

async function conversation(t: Test) {
	const clips: Float32Array[] = [];
	for (const [file, start, end] of parts) {
		const clip = await readClip(file, ownClipFolder);
		clips.push(clip.subarray(start * 16_000, end * 16_000));
	}
	const regions: { startMs: number; endMs: number }[] = [];
	let samples = 0;
	for (const clip of clips) {
		const endMs = (samples + clip.length) / 16;
		regions.push({
			startMs: Math.round(samples / 16),
			endMs: Math.floor(endMs),
		});
		samples += clip.length;
	}
	const pcm = Int16Array.from(
		clips.flatMap((clip) => [...clip].map((it) => it * 32767)),
	);
	const path = join(t.testdir(), "talk.pcm");
	writeFileSync(path, pcm);
	return { path, regions, audioMs: Math.round(samples / 16) };
}

function sourceOf(path: string, more: Partial<FileSource> = {}): FileSource {
	return {
		path,
		format: "pcm",
		sampleRateHz: 16000,
		channels: 1,
		gain: 1,
		durationSecondsMax: 3600,
		...more,
	};
}

async function voicesOf(job: Omit<DiarizationJob, "is">, signal?: AbortSignal) {
	const events: JobEvent[] = [];
	const audioMs = await worker.work(
		{ is: "voices", ...job },
		{
			emit: (it) => events.push(it),
			signal: signal ?? new AbortController().signal,
		},
	);
	const voices = events.filter((it) => it.is === "voices");
	t.equal(voices.length, 1, "reported once");
	return { audioMs, turns: voices[0]?.turns as readonly Turn[], events };
}

t.test(
	"two readers are separated, with and without their number",
	async (t) => {
		const { path, regions, audioMs } = await conversation(t);
		for (const count of [0, 2]) {
			const result = await voicesOf({ source: sourceOf(path), regions, count });
			t.equal(result.audioMs, audioMs);
			t.same(
				result.turns,
				regions.map((region, i) => ({ ...region, speaker: (i % 2) + 1 })),
			);
		}
		const one = await voicesOf({ source: sourceOf(path), regions, count: 1 });
		t.ok(one.turns.every(({ speaker }) => speaker === 1));
	},
);

t.test(
	"a region with two voices in it is divided near the change",
	async (t) => {
		const { path, regions } = await conversation(t);
		const whole = [{ startMs: 0, endMs: regions[3]?.endMs as number }];
		const { turns } = await voicesOf({
			source: sourceOf(path),
			regions: whole,
			count: 0,
		});
		t.same(
			turns.map((it) => it.speaker),
			[1, 2, 1, 2],
		);
		for (const [i, { startMs }] of turns.entries())
			t.ok(
				Math.abs(startMs - (regions[i]?.startMs as number)) <= 800,
				`${startMs}`,
			);
		t.equal(turns[0]?.startMs, 0);
		t.equal(turns.at(-1)?.endMs, whole[0]?.endMs);
	},
);

t.test(
	"two simultaneous speakers both have turns, with a segmentation model",
	async (t) => {
		const segmentation = await openSegmentation(
			openOnnx(),
			"models/segmentation-3.0/segmentation.onnx",
		);
		const both = {
			createFileSegmenter: (rules: EndpointRules, onSpan?: OnSpan) =>
				new SpeechSegmenter(
					new MixedDetector(
						silero.createDetector(),
						new SegmentationDetector(segmentation, onSpan),
						0.4,
					),
					rules,
				),
		};
		const [reader, other] = await Promise.all(
			["en-librivox-0870.wav", "ja-kokoro-meeting.wav"].map((it) =>
				readClip(it, ownClipFolder),
			),
		);
		// one reads for 7 s, the other begins after 4 s and continues alone
		const samples = new Float32Array(9 * 16_000);
		samples.set((reader as Float32Array).subarray(0, 7 * 16_000));
		for (const [i, it] of (other as Float32Array).entries()) {
			const at = i + 4 * 16_000;
			if (at < samples.length) samples[at] = (samples[at] as number) + it / 2;
		}
		const path = join(t.testdir(), "both.pcm");
		writeFileSync(
			path,
			Int16Array.from(samples, (it) => Math.max(-1, Math.min(1, it)) * 32767),
		);
		const job = {
			is: "voices" as const,
			source: sourceOf(path),
			regions: [{ startMs: 0, endMs: 9000 }],
			count: 2,
		};
		const turnsBy = async (parts: typeof models) => {
			const events: JobEvent[] = [];
			const one = new DiarizationWorker(
				openOnnx(),
				parts,
				openFfmpeg(),
				settings,
			);
			const { signal } = new AbortController();
			await one.work(job, { emit: (it) => events.push(it), signal });
			await one.close();
			return events.flatMap((it) => (it.is === "voices" ? it.turns : []));
		};
		const turns = await turnsBy(both);
		const beside = turns.filter((it) => it.beside);
		const besideMs = beside.reduce((ms, it) => ms + it.endMs - it.startMs, 0);
		t.ok(besideMs > 1000, `${besideMs} ms`);
		for (const { startMs, endMs, speaker } of beside) {
			t.ok(startMs >= 3900 && endMs <= 7100, `${startMs} to ${endMs}`);
			const main = turns.find(
				(it) => !it.beside && it.startMs <= startMs && it.endMs > startMs,
			);
			t.not(main?.speaker, speaker, "the other one");
		}
		t.notOk((await turnsBy(models)).some((it) => it.beside));
		await segmentation.close();
	},
);

t.test("a container is decoded on the way", async (t) => {
	const { path, regions } = await conversation(t);
	const mp3 = join(t.testdirName, "talk.mp3");
	execFileSync("ffmpeg", [
		...["-v", "error", "-f", "s16le", "-ar", "16000", "-i", path, mp3],
	]);
	const source = sourceOf(mp3, { format: "mp3" });
	const { turns } = await voicesOf({ source, regions, count: 0 });
	t.same(
		turns.map((it) => it.speaker),
		[1, 2, 1, 2],
	);
});

t.test("without speech there are no turns", async (t) => {
	const { path } = await conversation(t);
	const { turns } = await voicesOf({
		source: sourceOf(path),
		regions: [],
		count: 0,
	});
	t.same(turns, []);
});

t.test("a cancelled job ends", async (t) => {
	const { path, regions } = await conversation(t);
	const abort = new AbortController();
	abort.abort(new Error("not wanted"));
	const job = { source: sourceOf(path), regions, count: 0 };
	await t.rejects(voicesOf(job, abort.signal), /abort|not wanted/i);
});

t.test(
	"missing, empty and too long files are refused with the reason",
	async (t) => {
		const { path, regions } = await conversation(t);
		const empty = join(t.testdirName, "empty.wav");
		writeFileSync(empty, "");
		const failing = (source: FileSource) =>
			voicesOf({ source, regions, count: 0 });
		await t.rejects(failing(sourceOf(`${path}.not`)), { code: "ENOENT" });
		await t.rejects(
			failing(sourceOf(empty, { format: "wav" })),
			new CodedError("200007"),
		);
		await t.rejects(
			failing(sourceOf(path, { durationSecondsMax: 5 })),
			/at most 5 seconds/,
		);
	},
);

t.test(
	"a device without the model reports what is missing, until it is installed",
	async (t) => {
		const folder = join(t.testdir(), "campplus-zh-en");
		const wanting = { ...settings, speakerFolder: folder };
		const poor = new DiarizationWorker(
			openOnnx(),
			models,
			openFfmpeg(),
			wanting,
		);
		const job: DiarizationJob = {
			is: "voices",
			source: sourceOf("nothing.pcm"),
			regions: [],
			count: 0,
		};
		const home = { emit: () => {}, signal: new AbortController().signal };
		for (let tries = 0; tries < 2; tries++)
			await t.rejects(poor.work(job, home), {
				status: "100003",
				message:
					/speaker diarization is not available on this device: there is no folder /,
			});
		const other = { ...settings, speakerFolder: "models/silero-vad" };
		const wrong = new DiarizationWorker(
			openOnnx(),
			models,
			openFfmpeg(),
			other,
		);
		await t.rejects(wrong.work(job, home), {
			status: "100003",
			message: /silero-vad package, not campplus/,
		});
	},
);
