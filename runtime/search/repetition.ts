/**
 * Guards against a decoder that repeats the same few tokens in a loop until the length limit.
 */
import { deflateRawSync } from "node:zlib";
import { type Unit, unitsOf } from "./text-units.js";

/** Repetitions that count as a loop. Speech rarely repeats words this often; numbers read aloud ("zero zero zero zero") come close. */
const repeatsMax = 5;
/** Longest loop that is detected, in tokens. */
const loopMax = 24;
/** Minimum words or characters of an echo at the end of a longer text. */
const echoUnitsMin = 6;
/** Minimum where a whole Chinese or Japanese text is an echo: 谢谢 and はいはい are words. */
const wholeUnitsMin = 3;
/** Words, or characters of Chinese and Japanese, that are not said twice within a sentence by chance. */
const wordsAgain = 4;
const charactersAgain = 6;
const letters = /[\p{Script=Latin}\p{N}]/u;
/** Minimum length of all repetitions of a short loop, in tokens. */
const loopTokensMin = 12;

/**
 * Detects a loop at the end of a hypothesis.
 * @returns the length of one repetition in tokens, or 0.
 */
export function loopLength(tokens: readonly number[]): number {
	for (let length = 1; length <= loopMax; length++) {
		const needed = Math.max(length * repeatsMax, loopTokensMin);
		if (needed > tokens.length) return 0;
		if (repeatsAtEnd(tokens, length, needed)) return length;
	}
	return 0;
}

/** Whether each of the last `count` tokens equals the one `length` before it. */
function repeatsAtEnd(
	tokens: readonly number[],
	length: number,
	count: number,
): boolean {
	const end = tokens.length;
	for (let i = end - 1; i >= end - count + length; i--)
		if (tokens[i] !== tokens[i - length]) return false;
	return true;
}

/**
 * Compression ratio of the text: above 2.4 (Whisper's own threshold) a text repeats itself even without an exact loop.
 * Short texts are not conclusive and have 1.
 */
export function compressionRatio(text: string): number {
	const bytes = Buffer.from(text, "utf8");
	if (bytes.length < 48) return 1;
	return bytes.length / deflateRawSync(bytes).length;
}

/**
 * Whether a text ends with a repetition of what precedes it: the whole text ("nine nine", "I see. I see."), or a long part. Speakers do so, and so do
 * decoders with a short context, so that a second attempt is worthwhile.
 */
export function endsInEcho(text: string): boolean {
	const units = unitsOf(text).map((unit) => unit.key);
	const half = Math.floor(units.length / 2);
	const inLetters = units.every((unit) => letters.test(unit));
	for (let length = half; length >= 1; length--) {
		const isWhole = 2 * length === units.length;
		const least = !isWhole ? echoUnitsMin : inLetters ? 1 : wholeUnitsMin;
		if (length < least) continue;
		const from = units.length - length;
		if (units.slice(from).every((unit, i) => unit === units[from - length + i]))
			return true;
	}
	return false;
}

/**
 * Whether the last words stood in the text before: a decoder that runs out of sound begins its sentence anew. Speakers repeat themselves as well, but the texts of
 * the next moments show that.
 */
export function endsInEarlierWords(units: readonly Unit[]): boolean {
	const last = units.at(-1);
	const length = last && letters.test(last.key) ? wordsAgain : charactersAgain;
	const from = units.length - length;
	const tail = units.slice(Math.max(0, from)).map(({ key }) => key);
	for (let at = 0; at + length <= from; at++)
		if (tail.every((key, i) => key === units[at + i]?.key)) return true;
	return false;
}

/** Removes all but the first repetition of a loop at the end of a hypothesis. */
export function withoutLoop(tokens: readonly number[]): readonly number[] {
	const length = loopLength(tokens);
	if (length === 0) return tokens;
	let end = tokens.length;
	while (end - length > 0 && tokens[end - 1] === tokens[end - 1 - length])
		end--;
	return tokens.slice(0, end);
}
