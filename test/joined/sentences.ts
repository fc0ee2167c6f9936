/**
 * Sentences that the repository carries, in three languages and several voices, and recordings joined of them: with pauses, levels and the murmur of a room
 * as a test asks for. The same plan gives the same samples.
 */
import { readFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { foundShare } from "../../scripts/benchmarks/joined/found.js";
import type { ScoredLanguage } from "../../scripts/benchmarks/scoring.js";
import { readWav, toFloat } from "../../scripts/benchmarks/wav.js";
import { pinkNoise, seededRandom } from "../audio/signals.js";

export const sampleRateHz = 16_000;
const folder = "test/joined/clips";
/** Of a sentence's characters or words, in the best span of a text: with fewer it was not recognized. */
const recognizedShareMin = 0.6;

export interface Sentence {
	/** "zh-train" */
	readonly name: string;
	readonly language: ScoredLanguage;
	readonly voice: string;
	readonly reference: string;
	/** 16 kHz, with next to no silence at its ends. */
	readonly samples: Float32Array;
}

/** By name: all, or those that are named, in that order. @throws where there is none of that name. */
export function readSentences(...names: readonly string[]): Sentence[] {
	const all = JSON.parse(
		readFileSync(joinPath(folder, "clips.json"), "utf8"),
	) as readonly Omit<Sentence, "samples">[];
	const wanted = names.length > 0 ? names : all.map(({ name }) => name);
	return wanted.map((name) => {
		const about = all.find((it) => it.name === name);
		if (about === undefined) throw new Error(`no sentence ${name}`);
		const path = joinPath(folder, `${name}.wav`);
		return { ...about, samples: toFloat(readWav(path)) };
	});
}

export interface JoinPlan {
	/** Between two sentences; a list says each. */
	readonly pauseSeconds: number | readonly number[];
	/** Of each sentence, beside how it was recorded; 0 where the list ends. */
	readonly levelsDb?: readonly number[];
	/** Before the first and after the last; default 0.3. */
	readonly edgeSeconds?: number;
	/** Of a room's murmur under all of it; default none: digital silence. */
	readonly noiseRms?: number;
}

export interface Joined {
	readonly samples: Float32Array;
	/** Where each sentence lies. */
	readonly spans: readonly {
		readonly startSeconds: number;
		readonly endSeconds: number;
	}[];
}

export function joinSentences(
	sentences: readonly Sentence[],
	{ pauseSeconds, levelsDb = [], edgeSeconds = 0.3, noiseRms = 0 }: JoinPlan,
): Joined {
	const starts: number[] = [];
	let at = Math.round(edgeSeconds * sampleRateHz);
	sentences.forEach(({ samples }, i) => {
		starts.push(at);
		const last = i === sentences.length - 1;
		const pause =
			typeof pauseSeconds === "number" ? pauseSeconds : pauseSeconds[i];
		at += samples.length;
		at += Math.round((last ? edgeSeconds : (pause ?? 0)) * sampleRateHz);
	});
	const whole =
		noiseRms > 0
			? pinkNoise(at, noiseRms, seededRandom(1))
			: new Float32Array(at);
	sentences.forEach(({ samples }, i) => {
		const gain = 10 ** ((levelsDb[i] ?? 0) / 20);
		const start = starts[i] as number;
		for (let k = 0; k < samples.length; k++)
			whole[start + k] =
				(whole[start + k] as number) + gain * (samples[k] as number);
	});
	const spans = sentences.map(({ samples }, i) => ({
		startSeconds: (starts[i] as number) / sampleRateHz,
		endSeconds: ((starts[i] as number) + samples.length) / sampleRateHz,
	}));
	return { samples: whole, spans };
}

/** @returns the names of the sentences that are not in the text. */
export function missingFrom(
	text: string,
	sentences: readonly Sentence[],
): string[] {
	return sentences
		.filter(
			({ reference, language }) =>
				foundShare(reference, text, language) < recognizedShareMin,
		)
		.map(({ name }) => name);
}
