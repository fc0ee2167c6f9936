/**
 * Times of words from the times of their tokens. The attention knows which word sounds when, but places a word's edges somewhere in the pauses round
 * it; the sound itself knows where a pause ends.
 */
import { pauseSonority } from "../../features/sound.js";
import type { WordSpan, WrittenCharacter } from "./transcript.js";

export interface TimedSpan extends WordSpan {
	readonly startSeconds: number;
	readonly endSeconds: number;
}

const secondsPerPosition = 0.02;
const framesPerSecond = 100;
/** What remains of a word is at least so long. */
const wordFramesMin = 5;
/** A pause inside a word (the hold of a plosive) is shorter than this. */
const holdFramesMax = 15;
/** A word may sound on so long after the attention has left it. */
const trailFramesMax = 40;
/** The hold before a last "s" or "k". */
const trailHoldFramesMax = 8;

/** Nothing follows the last word that its end could be taken for, and voices die away: so far down it still sounds. */
const silenceShare = 0.1;

/** A span that the word before began is rarely this one. */
const carriedOverWeight = 0.25;

/** Frames, the end one past the last. */
type PositionSpan = { start: number; end: number };

/**
 * @param starts encoder position at which each token begins, and the end of the last.
 * @param sonority of each frame.
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
		return soundingStretch({ start, end }, sonority, pause);
	});
	let before = 0;
	return words.map((word, i) => {
		if (word.kind === "punc")
			return { ...word, startSeconds: before, endSeconds: before };
		const { start, end } = spans[i] as PositionSpan;
		// Marks make no sound: what sounds in their time is the word's end.
		const next = words.findIndex((one, k) => k > i && one.kind === "normal");
		const limit = spans[next]?.start ?? sonority.length;
		const isLast = next < 0;
		const trail = soundingUntil(end, limit, sonority, isLast ? silence : pause);
		const startSeconds = Math.max(before, start / framesPerSecond);
		before = Math.max(startSeconds, trail / framesPerSecond);
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
	return Math.min(Math.round(seconds * framesPerSecond), frameCount);
}

/**
 * The span of sound that a word is. The attention puts the pauses before and behind a word into it, and what sounded on of the word before; inside a
 * word there is no pause. So the longest span, and one that began before the word did counts little.
 */
function soundingStretch(
	within: PositionSpan,
	sonority: Float32Array,
	pause: number,
): PositionSpan {
	const sounds = (frame: number) => (sonority[frame] ?? -Infinity) >= pause;
	let best = within;
	let most = wordFramesMin;
	let first = -1; // of the span that is open
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
	// Next to nothing but pause: the attention is all there is to go by.
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
