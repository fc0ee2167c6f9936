/** Amount and rate of speech (docs/interface.md section 2.5): over the time with speech, not the length of the file. */
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

	/** @param text as written in the result. */
	addText(text: string): void {
		this.#units += countUnits(text, this.#language);
	}

	addSpeech({ beginMs, endMs, text, skipped }: FileUtterance): void {
		if (!skipped && text.trim() !== "") this.#spokenMs += endMs - beginMs;
	}

	/** @param keywords undefined where none were requested. */
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
