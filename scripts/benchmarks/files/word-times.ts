/**
 * How right the times of words are. Nobody has written down when the words of the clips are said, so they are taken from the sound, where it is plain:
 * - Clips of one letter or digit each, cut to their sound, in phrases of six with pauses of 0.1 to 0.4 s: where each begins and ends is known to a hundredth. Counted are
 *   those that were recognized right.
 * - Clips of sentences with two seconds of silence between them: the first word begins, and the last one ends, with the sound.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "../cache.js";
import { type Clip, isMedium, languages } from "../clips.js";
import { judged, type Measurement } from "../report.js";
import type { ScoredLanguage } from "../scoring.js";
import { type Server, withServer } from "../server.js";
import { median, percentile } from "../statistics.js";
import { readWav, sampleRateHz, writeWav } from "../wav.js";
import { type FileWord, transcribe } from "./client.js";

const medianMsMax = 150;
const phrases = 20;
const phraseWords = 6;
const betweenSeconds = 2;

interface SpokenSpan {
	/** Of a single word; undefined: of a sentence. */
	readonly word?: string;
	readonly startMs: number;
	readonly endMs: number;
}

interface Track {
	readonly path: string;
	readonly spoken: readonly SpokenSpan[];
	/** Phrases, or sentences: ranges of `spoken`. */
	readonly groups: readonly (readonly SpokenSpan[])[];
}

interface Errors {
	readonly startMs: number[];
	readonly endMs: number[];
	known: number;
}

export async function measureWordTimes(
	clips: readonly Clip[],
	settings: Readonly<Record<string, string>>,
): Promise<Measurement[]> {
	return withServer(settings, async (server) => {
		const measurements = [await singleWords(server, clips)];
		for (const language of languages)
			measurements.push(await sentences(server, clips, language));
		return measurements;
	});
}

async function singleWords(
	server: Server,
	clips: readonly Clip[],
): Promise<Measurement> {
	const track = phrasesOf(clips);
	const words = await recognizeWords(server, track.path, "en");
	const errors: Errors = { startMs: [], endMs: [], known: track.spoken.length };
	for (const group of track.groups) {
		const near = within(words, group);
		for (const [spoken, word] of alike(group, near)) note(errors, spoken, word);
	}
	return measurementOf(
		`single letters and digits in phrases (${errors.startMs.length} of ${errors.known} heard right)`,
		errors,
	);
}

async function sentences(
	server: Server,
	clips: readonly Clip[],
	language: ScoredLanguage,
): Promise<Measurement> {
	const own = clips.filter((it) => it.language === language && isMedium(it));
	const builder = new TrackBuilder();
	const spoken = own.map((clip) => {
		const samples = readWav(clip.path);
		const [from, to] = soundIn(samples);
		const begin = builder.at;
		builder.add(samples, betweenSeconds);
		return { startMs: msOf(begin + from), endMs: msOf(begin + to) };
	});
	const words = await recognizeWords(
		server,
		builder.write(`words-${language}`),
		language,
	);
	const errors: Errors = { startMs: [], endMs: [], known: spoken.length };
	for (const one of spoken) {
		const near = within(words, [one]);
		const [first, last] = [near[0], near.at(-1)];
		if (!first || !last) continue;
		errors.startMs.push(first.start_time - one.startMs);
		errors.endMs.push(last.end_time - one.endMs);
	}
	return measurementOf(
		`${language}: first word's begin and last word's end of ${errors.startMs.length} sentences, against the sound`,
		errors,
	);
}

function note(errors: Errors, spoken: SpokenSpan, word: FileWord): void {
	errors.startMs.push(word.start_time - spoken.startMs);
	errors.endMs.push(word.end_time - spoken.endMs);
}

function measurementOf(what: string, { startMs, endMs }: Errors): Measurement {
	const all = [...startMs, ...endMs].map(Math.abs);
	return {
		what: `files: word times, ${what}: error of begin / end, median (p90); begin and end late by, median`,
		earshot: `${spread(startMs)} / ${spread(endMs)}; ${signed(startMs)}, ${signed(endMs)} ms`,
		goal: judged(`median <= ${medianMsMax} ms`, median(all) <= medianMsMax),
	};
}

function spread(errors: readonly number[]): string {
	const sizes = errors.map(Math.abs);
	return `${median(sizes).toFixed(0)} ms (${percentile(sizes, 0.9).toFixed(0)})`;
}

function signed(errors: readonly number[]): string {
	return median(errors).toFixed(0);
}

async function recognizeWords(
	server: Server,
	path: string,
	language: ScoredLanguage,
): Promise<FileWord[]> {
	const options = { enable_words: "true" };
	const { segments } = await transcribe(server, { path, language, options });
	return segments
		.flatMap((it) => it.words ?? [])
		.filter((it) => it.type !== "punc");
}

/** Nearer to these than to their neighbours. */
function within(words: readonly FileWord[], group: readonly SpokenSpan[]) {
	const slackMs = (betweenSeconds * 1000) / 2;
	const from = (group[0] as SpokenSpan).startMs - slackMs;
	const to = (group.at(-1) as SpokenSpan).endMs + slackMs;
	return words.filter((it) => {
		const middle = (it.start_time + it.end_time) / 2;
		return middle > from && middle < to;
	});
}

const digits = "zero one two three four five six seven eight nine".split(" ");

function plain(word: string): string {
	const text = word.toLowerCase().replace(/[^a-z0-9]/g, "");
	return digits[Number(text)] ?? text;
}

/** The longest common sequence: which spoken words were recognized as which. */
function alike(
	spoken: readonly SpokenSpan[],
	words: readonly FileWord[],
): [SpokenSpan, FileWord][] {
	type Pairs = [SpokenSpan, FileWord][];
	let before: Pairs[] = Array.from({ length: words.length + 1 }, () => []);
	for (const one of spoken) {
		const row: Pairs[] = [[]];
		for (const [i, word] of words.entries()) {
			const paired: Pairs =
				plain(word.word) === one.word
					? [...(before[i] as Pairs), [one, word]]
					: [];
			const others = [before[i + 1] as Pairs, row[i] as Pairs, paired];
			row.push(others.reduce((a, b) => (b.length > a.length ? b : a)));
		}
		before = row;
	}
	return before.at(-1) as Pairs;
}

function phrasesOf(clips: readonly Clip[]): Track {
	const singles = clips
		.filter((it) => it.name.startsWith("en-alnum-"))
		.map(({ path, reference = "" }) => {
			const samples = readWav(path);
			const [from, to] = soundIn(samples);
			return { word: plain(reference), samples: samples.subarray(from, to) };
		});
	const random = randomOf(20261121);
	const builder = new TrackBuilder();
	const groups = Array.from({ length: phrases }, () =>
		Array.from({ length: phraseWords }, (_, i): SpokenSpan => {
			const one = singles[Math.floor(random() * singles.length)];
			if (!one) throw new Error("no clips of single words");
			const begin = builder.at;
			const isLast = i === phraseWords - 1;
			builder.add(one.samples, isLast ? betweenSeconds : 0.1 + 0.3 * random());
			const endMs = msOf(begin + one.samples.length);
			return { word: one.word, startMs: msOf(begin), endMs };
		}),
	);
	return { path: builder.write("words-single"), spoken: groups.flat(), groups };
}

class TrackBuilder {
	readonly #parts: [number, Int16Array][] = [];
	/** Of the next sound, samples. */
	at = betweenSeconds * sampleRateHz;

	add(samples: Int16Array, silenceSeconds: number): void {
		this.#parts.push([this.at, samples]);
		this.at += samples.length + Math.round(silenceSeconds * sampleRateHz);
	}

	write(name: string): string {
		const whole = new Int16Array(this.at);
		for (const [at, samples] of this.#parts) whole.set(samples, at);
		const folder = join(cacheDirectory, "recordings");
		mkdirSync(folder, { recursive: true });
		const path = join(folder, `${name}.wav`);
		writeWav(path, whole);
		return path;
	}
}

/**
 * From the first to the last hundredth of a second that is no more than 30 dB under the loudest; of eleven round it, half must be: a click or the peaks of
 * a room's noise are no speech.
 */
function soundIn(samples: Int16Array): [number, number] {
	const size = sampleRateHz / 100;
	const levels = Array.from(
		{ length: Math.floor(samples.length / size) },
		(_, i) => {
			const frame = samples.subarray(i * size, (i + 1) * size);
			let sum = 0;
			for (const sample of frame) sum += sample * sample;
			return Math.sqrt(sum / size);
		},
	);
	const loud = Math.max(...levels) * 10 ** (-30 / 20);
	const lasting = levels.map((_, i) =>
		median(Array.from({ length: 11 }, (_, k) => levels[i + k - 5] ?? 0)),
	);
	const first = lasting.findIndex((it) => it >= loud);
	const last = lasting.findLastIndex((it) => it >= loud);
	return [first * size, (last + 1) * size];
}

function msOf(samples: number): number {
	return (samples * 1000) / sampleRateHz;
}

function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}
