/**
 * What has been said for good in one session: its utterances in order, and the whole they make.
 */
import type { Language } from "../models/recognizer.js";
import type { Utterance, Word } from "./events.js";
import { joinTexts } from "./join-text.js";

export class Transcript {
	readonly #language: Language;
	readonly #utterances: Utterance[] = [];

	constructor(language: Language) {
		this.#language = language;
	}

	add(utterance: Utterance): void {
		if (utterance.text !== "") this.#utterances.push(utterance);
	}

	whole(): { text: string; confidence: number; words: Word[] } {
		return {
			text: joinTexts(
				this.#utterances.map((it) => it.text),
				this.#language,
			),
			confidence: this.#confidence(),
			words: this.#utterances.flatMap((it) => it.words),
		};
	}

	/** Each utterance counts by its length: a long sure one outweighs a short unsure one. 0 where nothing was said. */
	#confidence(): number {
		let sum = 0;
		let characters = 0;
		for (const it of this.#utterances) {
			sum += it.confidence * it.text.length;
			characters += it.text.length;
		}
		return characters === 0 ? 0 : sum / characters;
	}
}
