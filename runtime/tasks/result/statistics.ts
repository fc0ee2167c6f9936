/** How much was said, and how fast (docs/interface.md section 2.5): over the time in which somebody spoke, not over the file. */
import type { Language } from "../../text/languages.js";
import type { FileUtterance, TaskTimes } from "./parts.js";
import type { ResultKeyword, Statistics } from "./result.js";
import { countUnits } from "./word-count.js";

export class SpeechCount {
	readonly #language: Language;
	#units = 0;
	#spokenMs = 0;

	constructor(language: Language) {
		this.#language = language;
	}

	/** @param text as it is in the result. */
	addText(text: string): void {
		this.#units += countUnits(text, this.#language);
	}

	addSpeech({ beginMs, endMs, text, skipped }: FileUtterance): void {
		if (!skipped && text.trim() !== "") this.#spokenMs += endMs - beginMs;
	}

	/** @param keywords undefined where nobody asked for any. */
	statistics(
		times: TaskTimes,
		keywords: readonly ResultKeyword[] | undefined,
	): Statistics {
		const minutes = this.#spokenMs / 60_000;
		return {
			...(keywords && { keywords }),
			speed: minutes > 0 ? Math.round(this.#units / minutes) : 0,
			word_count: this.#units,
			...times,
		};
	}
}
