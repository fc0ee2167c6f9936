/**
 * When a command ends by the device's own voice activity detection: in a pause of its speaker, or after it. Commands are clips of one sentence each, and pairs of
 * them with a pause between; the words' own pauses are those that their speakers made.
 */
import { openOnnx } from "../../../drivers/onnx/session.js";
import { openSilero } from "../../../runtime/models/silero/detector.js";
import { passageRules } from "../../../runtime/segmentation/rules.js";
import type { SpeechDetector } from "../../../runtime/segmentation/speech-detector.js";
import { SpeechSegmenter } from "../../../runtime/segmentation/speech-segmenter.js";
import type { Clip } from "../clips.js";
import type { Measurement } from "../report.js";
import { median, percentile } from "../statistics.js";
import { readWav, sampleRateHz, toFloat } from "../wav.js";

/** Of `vad_sensitivity`: aggressive, default, relaxed. */
const silencesMs = [250, 700, 1250] as const;
/** Between the two sentences of a pair. */
const pausesMs = [200, 400, 600, 800, 1000, 1200, 1500] as const;
const quietAfterSeconds = 2;
/** A room at -74 dBFS. */
const quietLevel = 2e-4;
const chunkSamples = 1024;
const clipSecondsMin = 2;

type CreateDetector = () => SpeechDetector;

export async function measureEnds(
	clips: readonly Clip[],
): Promise<readonly Measurement[]> {
	const silero = await openSilero(
		openOnnx(),
		"models/silero-vad/silero_vad.onnx",
	);
	const create = () => silero.createDetector();
	const spoken: Float32Array[] = [];
	for (const clip of clips)
		if (clip.seconds >= clipSecondsMin) {
			const speech = await spokenPart(create, toFloat(readWav(clip.path)));
			if (speech) spoken.push(speech);
		}
	const measurements = [
		measurementOf("one sentence", await endsOf(create, spoken)),
	];
	for (const pauseMs of pausesMs) {
		const pairs = spoken.map((first, i) =>
			joined(
				first,
				quiet(pauseMs / 1000),
				spoken[(i + 7) % spoken.length] as Float32Array,
			),
		);
		const what = `two sentences, ${pauseMs} ms between them`;
		measurements.push(measurementOf(what, await endsOf(create, pairs)));
	}
	return measurements;
}

interface Ends {
	readonly commands: number;
	/** By silence: commands that ended before their speech did. */
	readonly cut: readonly number[];
	/** By silence: from the end of the speech to the end of the command, ms. */
	readonly delaysMs: readonly (readonly number[])[];
}

async function endsOf(
	create: CreateDetector,
	commands: readonly Float32Array[],
): Promise<Ends> {
	const cut = silencesMs.map(() => 0);
	const delaysMs: number[][] = silencesMs.map(() => []);
	for (const command of commands) {
		const ends = await firstSilences(
			create,
			joined(command, quiet(quietAfterSeconds)),
		);
		for (const [i, end] of ends.entries()) {
			const delay = ((end - command.length) * 1000) / sampleRateHz;
			if (delay < 0) cut[i] = (cut[i] as number) + 1;
			else delaysMs[i]?.push(delay);
		}
	}
	return { commands: commands.length, cut, delaysMs };
}

/** @returns for each of `silencesMs` the sample at which there was so much silence for the first time, as a session decides it. */
async function firstSilences(
	create: CreateDetector,
	samples: Float32Array,
): Promise<readonly number[]> {
	const segmenter = new SpeechSegmenter(create(), passageRules());
	const ends = silencesMs.map(() => Number.POSITIVE_INFINITY);
	for (let at = 0; at < samples.length; at += chunkSamples) {
		const piece = samples.subarray(at, at + chunkSamples);
		await segmenter.accept(piece);
		const silentMs = ((segmenter.silentSamples ?? 0) * 1000) / sampleRateHz;
		for (const [i, ms] of silencesMs.entries())
			if (silentMs >= ms)
				ends[i] = Math.min(ends[i] as number, at + piece.length);
	}
	await segmenter.finish();
	return ends;
}

/** From the first to the last sample of speech. */
export async function spokenPart(
	create: CreateDetector,
	samples: Float32Array,
): Promise<Float32Array | undefined> {
	const segmenter = new SpeechSegmenter(create(), passageRules());
	const events = [
		...(await segmenter.accept(joined(samples, quiet(1)))),
		...(await segmenter.finish()),
	];
	const segments = events.flatMap((it) => (it.is === "end" ? it.segment : []));
	const begin = segments[0]?.speechStartSample;
	const end = segments.at(-1)?.speechEndSample;
	return begin === undefined ? undefined : samples.slice(begin, end);
}

export function quiet(seconds: number): Float32Array {
	return Float32Array.from(
		{ length: seconds * sampleRateHz },
		(_, i) => quietLevel * Math.sin(i * i),
	);
}

export function joined(...parts: readonly Float32Array[]): Float32Array {
	const whole = new Float32Array(parts.reduce((n, it) => n + it.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

function measurementOf(
	what: string,
	{ commands, cut, delaysMs }: Ends,
): Measurement {
	const cells = silencesMs.map((ms, i) => {
		const delays = delaysMs[i] as readonly number[];
		const times =
			delays.length === 0
				? ""
				: `, ends ${median(delays).toFixed(0)} ms after it (p95 ${percentile(delays, 0.95).toFixed(0)})`;
		const share = ((100 * (cut[i] as number)) / commands).toFixed(1);
		return `${ms} ms: ${share} % cut${times}`;
	});
	return {
		what: `Wyoming: ${what}, ${commands} commands ended by the device`,
		earshot: cells.join("; "),
		goal: "-",
	};
}
