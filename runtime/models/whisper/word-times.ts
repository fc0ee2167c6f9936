/**
 * Times of words from the times of their tokens. The attention knows which word sounds when, but places a word's edges somewhere in the pauses round
 * it; the sound itself knows where a pause ends.
 */
import { pauseLevel } from "../../features/sound.js";
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

/**
 * @param starts encoder position at which each token begins, and the end of the last.
 * @param levels of the frames, in decibels.
 */
export function timeWords(
	words: readonly WordSpan[],
	starts: Float32Array,
	levels: Float32Array,
): TimedSpan[] {
	const pause = pauseLevel(levels);
	const end = levels.length / framesPerSecond;
	const timed: TimedSpan[] = [];
	for (const word of words) {
		const before = timed.at(-1)?.endSeconds ?? 0;
		if (word.kind === "punc") {
			timed.push({ ...word, startSeconds: before, endSeconds: before });
			continue;
		}
		const at = (character: WrittenCharacter, share: number) => {
			const from = starts[character.tokenStart] ?? 0;
			const to = starts[character.tokenEnd] ?? from;
			const position = from + share * (to - from);
			const seconds = Math.min(position * secondsPerPosition, end);
			return Math.round(seconds * framesPerSecond);
		};
		const [first, last] = soundingStretch(
			at(word.first, word.first.from),
			at(word.last, word.last.to),
			levels,
			pause,
		);
		const startSeconds = Math.max(before, first / framesPerSecond);
		const endSeconds = Math.max(startSeconds, last / framesPerSecond);
		timed.push({ ...word, startSeconds, endSeconds });
	}
	return timed;
}

/** The longest stretch of sound within frames start..end: a word has no pause inside, but pauses are put before and behind it. */
function soundingStretch(
	start: number,
	end: number,
	levels: Float32Array,
	pause: number,
): [number, number] {
	let best: [number, number] = [start, start];
	let first = -1; // of the stretch that is open
	let last = -1; // its last sounding frame
	for (let f = start; f < end; f++) {
		if ((levels[f] ?? Number.NEGATIVE_INFINITY) < pause) continue;
		if (first < 0 || f - last > holdFramesMax) first = f;
		last = f;
		if (last + 1 - first > best[1] - best[0]) best = [first, last + 1];
	}
	// Nothing but pause: the attention is all there is to go by.
	return best[1] - best[0] < wordFramesMin ? [start, end] : best;
}
