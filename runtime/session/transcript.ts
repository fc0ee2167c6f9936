/**
 * What has been said for good in one session: its utterances in order, and the whole they make.
 */
import type { Language } from "../text/languages.js";
import type { Utterance, Word } from "./events.js";
import { joinTexts } from "./join-text.js";

export class Transcript {
	readonly #language: Language;
	readonly #keepsWhole: boolean;
	readonly #utterances: Utterance[] = [];
	/** Of which a filter left nothing. */
	readonly #onlyFillers: Utterance[] = [];

	/** @param keepsWhole false: nothing is kept, the whole is empty. */
	constructor(language: Language, keepsWhole = true) {
		this.#language = language;
		this.#keepsWhole = keepsWhole;
	}

	add(utterance: Utterance): void {
		if (this.#keepsWhole && utterance.text !== "")
			this.#utterances.push(utterance);
	}

	/** @param utterance nothing but fillers, written with them: what was said where nothing else is. */
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
		const readings = utterances.flatMap(({ spoken }) => spoken ?? []);
		return {
			text: joinTexts(
				utterances.map((it) => it.text),
				this.#language,
			),
			...(readings.length > 0 && {
				spoken: joinTexts(readings, this.#language),
			}),
			confidence: meanConfidence(utterances),
			words: utterances.flatMap((it) => it.words),
		};
	}

	/** A whole request is not emptied by a filter: who says "um" and nothing else has said that. */
	get #nonEmpty(): readonly Utterance[] {
		return this.#utterances.length > 0 ? this.#utterances : this.#onlyFillers;
	}
}

/** @returns the mean of what texts are worth: each counts by its length, a long sure one outweighs a short unsure one. 0 where nothing was said. */
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
