/** Extracts keywords of transcripts in a separate process: in the one for word lists, its callers would wait for hours of Japanese. */

import { KeywordProcess } from "../engine/keyword-process.js";
import type { Language } from "../text/languages.js";
import type { ResultKeywordSource } from "./result/parts.js";

/** The longest transcript in Japanese takes some 10 s on an idle machine; only the task waits for it. */
const answerMsMax = 180_000;

export class ResultKeywords implements ResultKeywordSource {
	readonly #process = new KeywordProcess(answerMsMax);

	find(
		text: string,
		language: Language,
		countMax: number,
	): Promise<readonly string[]> {
		return this.#process.find({ is: "transcript", text, language, countMax });
	}

	close(): Promise<void> {
		return this.#process.close();
	}
}
