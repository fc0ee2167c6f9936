/**
 * Guards against a decoder that goes in circles: the same few tokens again and again, until the length bound.
 */
import { deflateRawSync } from "node:zlib";
import { unitsOf } from "./text-units.js";

/** Nobody says three words more than so often in a row; numbers read out ("zero zero zero zero") come close. */
const repeatsMax = 5;
/** Longest circle looked for, in tokens. */
const circleMax = 24;
/** Words or characters of an echo at the end of a longer text, */
const echoUnitsMin = 6;
/** and of a whole Chinese or Japanese text: 谢谢 and はいはい are words. */
const wholeUnitsMin = 3;
const letters = /[\p{Script=Latin}\p{N}]/u;
/** A circle of few tokens must go on for at least so many tokens. */
const loopTokensMin = 12;

/**
 * Looks for a circle at the end of a hypothesis.
 * @returns the circle's length in tokens, or 0.
 */
export function loopLength(tokens: readonly number[]): number {
	for (let length = 1; length <= circleMax; length++) {
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
 * How much a general compressor shortens the text: above 2.4 (Whisper's own bound) a text repeats itself even where no exact circle does.
 * Short texts say nothing: they count as 1.
 */
export function compressionRatio(text: string): number {
	const bytes = Buffer.from(text, "utf8");
	if (bytes.length < 48) return 1;
	return bytes.length / deflateRawSync(bytes).length;
}

/**
 * Whether a text ends by saying once more what it has just said: all of it ("nine nine", "I see. I see."), or a long stretch. People do so, and so do
 * decoders that hear a short context: worth another look.
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

/** A hypothesis that ends in a circle, with the circle gone round once only. */
export function withoutLoop(tokens: readonly number[]): readonly number[] {
	const length = loopLength(tokens);
	if (length === 0) return tokens;
	let end = tokens.length;
	while (end - length > 0 && tokens[end - 1] === tokens[end - 1 - length])
		end--;
	return tokens.slice(0, end);
}
