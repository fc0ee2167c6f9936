/**
 * Times of words from the times of their tokens. The attention locates each word, but puts its boundaries somewhere in the surrounding pauses; the audio
 * shows where a pause ends.
 */
import { hopsPerSecond } from "../../features/filterbank-port.js";
import { pauseSonority } from "../../features/sound.js";
import type { WordSpan, WrittenCharacter } from "./transcript.js";

export interface TimedSpan extends WordSpan {
	readonly startSeconds: number;
	readonly endSeconds: number;
}

const secondsPerPosition = 0.02;
/** Minimum length of a word's span of sound. */
const wordFramesMin = 5;
/** A pause inside a word (the hold of a plosive) is shorter than this. */
const holdFramesMax = 15;
/** Maximum time that a word may continue after its end by the attention. */
const trailFramesMax = 40;
/** The hold before a final "s" or "k". */
const trailHoldFramesMax = 8;

/** Lower threshold for the end of the last word: it may fade out, because no other word follows. */
const silenceShare = 0.1;

/** Weight of a span that continues sound from before the word: it is rarely this word. */
const carriedOverWeight = 0.25;

/** In frames; `end` is one past the last. */
type PositionSpan = { start: number; end: number };

/**
 * @param starts encoder position at which each token begins, and the end of the last.
 * @param sonority by frame.
 */
export function timeWords(
	words: readonly WordSpan[],
	starts: Float32Array,
	sonority: Float32Array,
): TimedSpan[] {
	const pause = pauseSonority(sonority);
	const silence = pauseSonority(sonority, silenceShare);
	const spans = words.map((word) => {
		const start = frameAt(word.first, word.first.from, starts, sonority.length);
		const end = frameAt(word.last, word.last.to, starts, sonority.length);
		return longestSound({ start, end }, sonority, pause);
	});
	let before = 0;
	return words.map((word, i) => {
		if (word.kind === "punc")
			return { ...word, startSeconds: before, endSeconds: before };
		const { start, end } = spans[i] as PositionSpan;
		// Marks are silent: sound in their time is the end of the word before.
		const next = words.findIndex((one, k) => k > i && one.kind === "normal");
		const limit = spans[next]?.start ?? sonority.length;
		const isLast = next < 0;
		const trail = soundingUntil(end, limit, sonority, isLast ? silence : pause);
		const startSeconds = Math.max(before, start / hopsPerSecond);
		before = Math.max(startSeconds, trail / hopsPerSecond);
		return { ...word, startSeconds, endSeconds: before };
	});
}

/** The frame at a share of a character's tokens' time. */
function frameAt(
	character: WrittenCharacter,
	share: number,
	starts: Float32Array,
	frameCount: number,
): number {
	const from = starts[character.tokenStart] ?? 0;
	const to = starts[character.tokenEnd] ?? from;
	const seconds = (from + share * (to - from)) * secondsPerPosition;
	return Math.min(Math.round(seconds * hopsPerSecond), frameCount);
}

/**
 * The span of sound of a word. The attention's span of a word may include pauses before and after it, and the end of the previous word, but there are no
 * pauses inside a word. So this returns the longest span of sound, with a low weight for one that began before the word.
 */
function longestSound(
	within: PositionSpan,
	sonority: Float32Array,
	pause: number,
): PositionSpan {
	const sounds = (frame: number) => (sonority[frame] ?? -Infinity) >= pause;
	let best = within;
	let most = wordFramesMin;
	let first = -1; // start of the current span
	let last = -1; // its last sounding frame
	for (let frame = within.start; frame < within.end; frame++) {
		if (!sounds(frame)) continue;
		if (first < 0 || frame - last > holdFramesMax) first = frame;
		last = frame;
		const carriedOver = first === within.start && sounds(first - 1);
		const length = (last + 1 - first) * (carriedOver ? carriedOverWeight : 1);
		if (length < most) continue;
		most = length;
		best = { start: first, end: last + 1 };
	}
	// If there is hardly any sound, this is the attention's span.
	return best;
}

function soundingUntil(
	end: number,
	limit: number,
	sonority: Float32Array,
	pause: number,
): number {
	const last = Math.min(limit, end + trailFramesMax);
	let until = end;
	for (let frame = end; frame < last; frame++) {
		if ((sonority[frame] as number) >= pause) until = frame + 1;
		else if (frame - until >= trailHoldFramesMax) break;
	}
	return until;
}
