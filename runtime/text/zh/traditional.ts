/**
 * Simplified characters to traditional ones, as Taiwan writes them: Whisper writes either, so a hotword must be known in both.
 */
import { Converter } from "opencc-js/cn2t";

/** Its tables are 190,000 maps, 54 MB that every collection of garbage looks through: made for the first Chinese list of words. */
let made: ((text: string) => string) | undefined;

export function traditional(text: string): string {
	const convert = made ?? Converter({ from: "cn", to: "tw" });
	made = convert;
	return convert(text);
}
