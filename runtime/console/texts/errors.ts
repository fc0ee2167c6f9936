/** Why the device refused: its own sentence, in English, names the parameter and the reason; other languages have one of their own before it. */
import { language } from "./language.js";
import { refusals } from "./refusals.js";
import { sentenceOf } from "./sentence-of.js";

/** @param status of the interface; unknown ones have the message alone. */
export function refusalText(status: string, message: string): string {
	if (language.value === "en") return sentenceOf(message);
	const known: Readonly<Record<string, string>> = refusals[language.value];
	const sentence = known[status.replace(/^21[012]/, "list")];
	if (!sentence) return message;
	return message ? `${sentence}（${message}）` : sentence;
}
