/** All that was said, as one text for whoever looks for keywords: a line for each utterance, and no more than a keyword finder takes. */
import type { HeardUtterance } from "./parts.js";

/** Characters; some eight hours of speech. */
const charactersMax = 500_000;

export class TranscriptText {
	readonly #lines: string[] = [];
	#characters = 0;

	get isEmpty(): boolean {
		return this.#lines.length === 0;
	}

	add({ text, skipped }: HeardUtterance): void {
		if (skipped || text.trim() === "") return;
		this.#characters += text.length;
		if (this.#characters <= charactersMax) this.#lines.push(text);
	}

	whole(): string {
		return this.#lines.join("\n");
	}
}
