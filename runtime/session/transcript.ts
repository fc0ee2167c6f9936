/**
 * What has been said for good in one session: its utterances in order, and the whole they make.
 */
import type { Language } from "../models/recognizer.js";
import type { Utterance, Word } from "./events.js";
import { joinTexts } from "./join-text.js";

export class Transcript {
	readonly #language: Language;
	readonly #keepsWhole: boolean;
	readonly #utterances: Utterance[] = [];

	/** @param keepsWhole false: nothing is kept, the whole is empty. */
	constructor(language: Language, keepsWhole = true) {
		this.#language = language;
		this.#keepsWhole = keepsWhole;
	}

	add(utterance: Utterance): void {
		if (this.#keepsWhole && utterance.text !== "")
			this.#utterances.push(utterance);
	}

	whole(): {
		text: string;
		spoken?: string;
		confidence: number;
		words: Word[];
	} {
		const readings = this.#utterances.flatMap(({ spoken }) => spoken ?? []);
		return {
			text: joinTexts(
				this.#utterances.map((it) => it.text),
				this.#language,
			),
			...(readings.length > 0 && {
				spoken: joinTexts(readings, this.#language),
			}),
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
