/**
 * Recordings of several sentences: clips one after the other with pauses, in one language or in two that take turns, at one level or at several. Each is made
 * of clips of one half, of the even or of the odd ones, so that what was tuned on one half can be judged by the other. The same plan gives the same samples.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "../cache.js";
import type { Clip } from "../clips.js";
import type { ScoredLanguage } from "../scoring.js";
import { readWav, sampleRateHz, writeWav } from "../wav.js";

/** What a recording is said to be in: one language, or two that take turns. */
export type Label = ScoredLanguage | "zh-en" | "ja-en";
export const labels: readonly Label[] = ["zh", "ja", "en", "zh-en", "ja-en"];

export type Half = "even" | "odd";
export const halves: readonly Half[] = ["even", "odd"];

export interface Plan {
	readonly label: Label;
	/** Fewer where a half has fewer clips. */
	readonly sentences: number;
	/** Instead of `sentences`: clips come again and again until the recording is that long. */
	readonly minutes?: number;
	readonly pauseSeconds: number;
	readonly voices: "same" | "changing";
	/** Between the loudest sentence and the quietest. */
	readonly levelDb: number;
}

export interface JoinedRecording extends Plan {
	readonly half: Half;
	readonly members: readonly Clip[];
	/** 16 kHz, mono, 16-bit WAV. */
	readonly path: string;
}

/** Of the level between loudest and quietest, sentence by sentence: quiet after loud, and loud after quiet. */
const levelPattern = [0, 1, 0.5, 1, 0.25];

/** @returns `sets` recordings of each half; fewer clips than sentences make shorter ones, fewer than two none. */
export function makeRecordings(
	clips: readonly Clip[],
	plan: Plan,
	sets: number,
): readonly JoinedRecording[] {
	return halves.flatMap((half) => {
		const own = clips.filter((_, i) => i % 2 === (half === "even" ? 0 : 1));
		const decks = decksOf(own, plan);
		return Array.from({ length: sets }, (_, i) => {
			const members = drawMembers(decks, plan, i);
			return members.length < 2
				? []
				: [
						{
							...plan,
							half,
							members,
							path: write(members, plan, `${half}-${i}`),
						},
					];
		}).flat();
	});
}

/** The clips that sentences are drawn from: one deck a language, or one a speaker. */
function decksOf(clips: readonly Clip[], { label, voices }: Plan): Clip[][] {
	const languages = label.split("-");
	const decks = languages.map((it) =>
		clips.filter((clip) => clip.language === it),
	);
	if (voices === "changing") return decks.map((deck) => shuffled(deck));
	const all = decks.flat();
	return [...new Set(all.map(speakerOf))]
		.map((speaker) => all.filter((clip) => speakerOf(clip) === speaker))
		.filter((deck) => deck.length > 1);
}

/** Who reads it, by the clip's name; a clip of an unknown reader is a speaker by itself. */
function speakerOf({ name }: Clip): string {
	return /^(en-librivox|en-librispeech-6930)/.exec(name)?.[1] ?? name;
}

/** Round the decks from where the set before ended, so that all clips have their turn; none twice in a recording, but where it has a length. */
function drawMembers(
	decks: readonly (readonly Clip[])[],
	{ voices, minutes, pauseSeconds, ...plan }: Plan,
	set: number,
): readonly Clip[] {
	const usable = decks.filter((deck) => deck.length > 0);
	if (usable.length === 0) return [];
	const sentences =
		minutes === undefined
			? plan.sentences
			: roundsFor(60 * minutes, usable, pauseSeconds) * usable.length;
	const from = (deck: readonly Clip[], at: number) =>
		deck[at % deck.length] as Clip;
	const drawn = Array.from({ length: sentences }, (_, k) => {
		if (voices === "same")
			return from(usable[set % usable.length] as readonly Clip[], set + k);
		const deck = usable[(set + k) % usable.length] as readonly Clip[];
		return from(deck, Math.floor((set * sentences + k) / usable.length));
	});
	return minutes === undefined ? [...new Set(drawn)] : drawn;
}

/** How often each deck has its turn before a recording is that long. */
function roundsFor(
	wantedSeconds: number,
	decks: readonly (readonly Clip[])[],
	pauseSeconds: number,
): number {
	let seconds = 0;
	let rounds = 0;
	for (; seconds < wantedSeconds; rounds++)
		for (const deck of decks) {
			const { seconds: own = 0 } = deck[rounds % deck.length] ?? {};
			seconds += own + pauseSeconds;
		}
	return rounds;
}

/** Park-Miller, the same order each time. */
function shuffled(clips: readonly Clip[]): Clip[] {
	const order = [...clips];
	let state = 5;
	for (let i = order.length - 1; i > 0; i--) {
		state = (state * 48271) % 2147483647;
		const k = state % (i + 1);
		[order[i], order[k]] = [order[k] as Clip, order[i] as Clip];
	}
	return order;
}

function write(members: readonly Clip[], plan: Plan, name: string): string {
	const { label, sentences, minutes, pauseSeconds, voices, levelDb } = plan;
	const pause = Math.round(pauseSeconds * sampleRateHz);
	const parts = members.map((clip, k) => {
		const share = levelPattern[k % levelPattern.length] as number;
		const gain = 10 ** ((-levelDb * share) / 20);
		return readWav(clip.path).map((sample) => Math.round(gain * sample));
	});
	const sampleCount = parts.reduce((sum, part) => sum + part.length + pause, 0);
	const samples = new Int16Array(sampleCount);
	let at = 0;
	for (const part of parts) {
		samples.set(part, at);
		at += part.length + pause;
	}
	const folder = join(cacheDirectory, "joined-sentences");
	mkdirSync(folder, { recursive: true });
	const count = minutes === undefined ? sentences : `${minutes}min`;
	const file = [label, count, pauseSeconds, voices, levelDb, name].join("-");
	const path = join(folder, `${file}.wav`);
	writeWav(path, samples);
	return path;
}
