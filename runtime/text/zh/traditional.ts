/**
 * Simplified characters to traditional ones, as Taiwan writes them: Whisper writes either, so a hotword must be known in both.
 */
import { Converter } from "opencc-js/cn2t";

const convert = Converter({ from: "cn", to: "tw" });

export function traditional(text: string): string {
	return convert(text);
}
