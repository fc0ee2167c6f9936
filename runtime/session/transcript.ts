/**
 * The final utterances of one session in order, and the whole text that they make.
 */
import type { Language } from "../text/languages.js";
import type { Utterance, Word } from "./events.js";
import { joinTexts } from "./join-text.js";

export class Transcript {
	#language: Language;
	readonly #keepsWhole: boolean;
	readonly #utterances: Utterance[] = [];
	/** Utterances of which the filler filter left nothing. */
	readonly #onlyFillers: Utterance[] = [];

	/** @param keepsWhole false: nothing is kept, the whole is empty. */
	constructor(language: Language, keepsWhole = true) {
		this.#language = language;
		this.#keepsWhole = keepsWhole;
	}

	/** What was added stays, and is joined as in this language. */
	useLanguage(language: Language): void {
		this.#language = language;
	}

	add(utterance: Utterance): void {
		if (this.#keepsWhole && utterance.text !== "")
			this.#utterances.push(utterance);
	}

	/** @param utterance consists of fillers only, which are kept: used if there is no other text. */
	addFillers(utterance: Utterance): void {
		if (this.#keepsWhole && utterance.text !== "")
			this.#onlyFillers.push(utterance);
	}

	whole(): {
		text: string;
		spoken?: string;
		confidence: number;
		words: Word[];
	} {
		const utterances = this.#nonEmpty;
		const isRead = utterances.some((it) => it.spoken !== undefined);
		return {
			text: joinTexts(
				utterances.map((it) => it.text),
				this.#language,
			),
			...(isRead && {
				spoken: joinTexts(
					utterances.map((it) => it.spoken ?? it.text),
					this.#language,
				),
			}),
			confidence: meanConfidence(utterances),
			words: utterances.flatMap((it) => it.words),
		};
	}

	/** The filter must not empty a whole request: if only "um" was said, that is the text. */
	get #nonEmpty(): readonly Utterance[] {
		return this.#utterances.length > 0 ? this.#utterances : this.#onlyFillers;
	}
}

/** @returns mean confidence weighted by text length: a long sure text outweighs a short unsure one. 0 without text. */
export function meanConfidence(
	texts: readonly { readonly text: string; readonly confidence: number }[],
): number {
	let sum = 0;
	let characters = 0;
	for (const { text, confidence } of texts) {
		sum += confidence * text.length;
		characters += text.length;
	}
	return characters === 0 ? 0 : sum / characters;
}
