/** The finished sentences of Live, of whatever was heard. */
import { signal } from "@preact/signals";
import { languageInUse } from "../../parts/recognition-options.js";
import type { Sentence } from "./sentence.js";

/** Hours of speech. A page that follows a microphone for days stays quick. */
export const sentencesMax = 2000;

export const sentences = signal<readonly Sentence[]>([]);
/** Earlier ones are gone. */
export const isShortened = signal(false);
/** The last recording had no speech in it. */
export const wasSilent = signal(false);

export function add(
	sentence: Omit<Sentence, "language">,
	language = languageInUse(),
): void {
	const all = [...sentences.value, { ...sentence, language }];
	if (all.length > sentencesMax) isShortened.value = true;
	sentences.value = all.slice(-sentencesMax);
}

export function clearSentences(): void {
	sentences.value = [];
	isShortened.value = false;
	wasSilent.value = false;
}
