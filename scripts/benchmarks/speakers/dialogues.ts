/**
 * Conversations made of read speech: readers of whom there is enough take turns of 1.5 to 6 s with pauses between, from a fixed seed. Easier than talk (nobody
 * interrupts, every reader has one microphone, which helps to tell them apart); what they show is whether the number of speakers is found.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readWav, sampleRateHz } from "../wav.js";
import type { SpokenTurn } from "./diarization-error.js";

export interface Recording {
	readonly name: string;
	readonly samples: Int16Array;
	readonly turns: readonly SpokenTurn[];
}

/** One reader each. */
const readers: Readonly<Record<string, readonly string[]>> = {
	"librispeech-6930": ["0002", "0003", "0006", "0008", "0009"].map(
		(it) => `en-librispeech-6930-75918-${it}.wav`,
	),
	librivox: ["0870", "0890", "0920", "0930"].map(
		(it) => `en-librivox-${it}.wav`,
	),
	osr: ["en-osr-0034.wav"],
	"librispeech-1995": ["en-librispeech-1995-1837-0001.wav"],
	jfk: ["en-jfk-1.wav"],
	watson: ["en-watson-1.wav"],
	reazon: ["ja-reazon-2.wav"],
	"watson-ja": ["ja-watson-5.wav"],
	"watson-zh": ["zh-watson-3.wav"],
};

const turnSeconds = { least: 1.5, most: 6 };
const pauseSeconds = { least: 0.2, most: 0.9 };
/** A reader who is silent for so long says nothing. */
const pauseSecondsMin = 0.3;
/** Quieter than this is no part of a turn. */
const speechLevel = 0.01;

let state = 20261121;
function random(): number {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return state / 2 ** 32;
}

function between({ least, most }: { least: number; most: number }): number {
	return least + random() * (most - least);
}

/** @param count of conversations, of two to five speakers in turn. */
export function makeDialogues(folder: string, count: number): Recording[] {
	const speakers = Object.entries(readers).map(([speaker, files]) => ({
		speaker,
		samples: speechOf(folder, files),
	}));
	return Array.from({ length: count }, (_, index) => {
		const chosen = shuffled(speakers).slice(0, 2 + (index % 4));
		return dialogue(`dialogue ${index + 1}`, chosen);
	});
}

type Speaker = { readonly speaker: string; readonly samples: Int16Array };

/** Until everybody has said what there is of them, or enough of it. */
function dialogue(name: string, speakers: readonly Speaker[]): Recording {
	const left = speakers.map(({ speaker, samples }) => ({
		speaker,
		samples: samples.subarray(0, 16 * sampleRateHz),
		at: 0,
	}));
	const parts: Int16Array[] = [];
	const turns: SpokenTurn[] = [];
	let sampleCount = 0;
	const add = (part: Int16Array) => {
		parts.push(part);
		sampleCount += part.length;
	};
	let last: string | undefined;
	for (;;) {
		const open = left.filter((it) => it.at < it.samples.length);
		const others = open.filter((it) => it.speaker !== last);
		const next = shuffled(others.length > 0 ? others : open)[0];
		if (!next) break;
		add(new Int16Array(Math.round(between(pauseSeconds) * sampleRateHz)));
		const wanted = Math.round(between(turnSeconds) * sampleRateHz);
		// no crumbs
		const rest = next.samples.length - next.at;
		const taken =
			rest - wanted < turnSeconds.least * sampleRateHz ? rest : wanted;
		const start = sampleCount;
		const part = next.samples.subarray(next.at, next.at + taken);
		add(part);
		next.at += taken;
		for (const [from, to] of spokenIn(part))
			turns.push({
				speaker: next.speaker,
				startSeconds: (start + from) / sampleRateHz,
				endSeconds: (start + to) / sampleRateHz,
			});
		last = next.speaker;
	}
	const samples = new Int16Array(sampleCount);
	let at = 0;
	for (const part of parts) {
		samples.set(part, at);
		at += part.length;
	}
	return { name, samples, turns };
}

/** Clips of one reader end to end, without the silence at their ends. */
function speechOf(folder: string, files: readonly string[]): Int16Array {
	const clips = files.map((file) => trimmed(readWav(join(folder, file))));
	const sampleCount = clips.reduce((sum, it) => sum + it.length, 0);
	const samples = new Int16Array(sampleCount);
	let at = 0;
	for (const clip of clips) {
		samples.set(clip, at);
		at += clip.length;
	}
	return samples;
}

/** Without the pauses that a reader makes: the reference of what is said. */
function spokenIn(samples: Int16Array): [number, number][] {
	const spans: [number, number][] = [];
	let last: [number, number] | undefined;
	for (const [at, sample] of samples.entries()) {
		if (Math.abs(sample) <= speechLevel * 32768) continue;
		if (!last || at - last[1] > pauseSecondsMin * sampleRateHz) {
			last = [at, at];
			spans.push(last);
		}
		last[1] = at + 1;
	}
	// crackles are no words
	return spans.filter(([from, to]) => to - from > 0.05 * sampleRateHz);
}

function trimmed(samples: Int16Array): Int16Array {
	const isLoud = (it: number) => Math.abs(it) > speechLevel * 32768;
	const first = samples.findIndex(isLoud);
	const last = samples.findLastIndex(isLoud);
	return samples.subarray(Math.max(0, first), last + 1);
}

function shuffled<T>(items: readonly T[]): T[] {
	return items
		.map((item) => ({ item, order: random() }))
		.sort((a, b) => a.order - b.order)
		.map(({ item }) => item);
}

/** Recordings with a reference beside them. */
export function readRecordings(
	folder: string,
	names: readonly string[],
	readTurns: (text: string) => SpokenTurn[],
): Recording[] {
	return names.map((name) => ({
		name,
		samples: readWav(join(folder, `${name}.wav`)),
		turns: readTurns(readFileSync(join(folder, `${name}.rttm`), "utf8")),
	}));
}
