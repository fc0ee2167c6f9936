/**
 * The word lists that this engine was sent. A list is the same object each time it is named, so that what was compiled from it can be cached
 * with it. The main process decides which lists to keep (sent-word-lists.ts).
 */
import assert from "node:assert";
import type { RecognitionOptions } from "../../session/options.js";
import { mapLists } from "../../words/referred-lists.js";
import type { WordList } from "../../words/word-list.js";
import type { ToEngine } from "../protocol.js";
import type { SentOptions } from "../sent-options.js";

export class ReceivedWordLists {
	readonly #lists = new Map<string, WordList>();
	readonly #arriving = new Map<string, string[]>();

	accept({ key, entries, last }: Extract<ToEngine, { is: "word-list" }>): void {
		const whole = this.#arriving.get(key) ?? [];
		for (const entry of entries) whole.push(entry);
		if (!last) {
			this.#arriving.set(key, whole);
			return;
		}
		this.#arriving.delete(key);
		this.#lists.set(key, { key, entries: whole });
	}

	/** Running recognitions hold their own references. */
	forget(keys: readonly string[]): void {
		for (const key of keys) this.#lists.delete(key);
	}

	optionsOf(sent: SentOptions): RecognitionOptions {
		const { hotwords: _, corrections: __, forbidden: ___, ...others } = sent;
		return { ...others, ...mapLists(sent, (key) => this.#list(key)) };
	}

	#list(key: string): WordList {
		const list = this.#lists.get(key);
		assert(list, `the list ${key} was not sent`);
		return list;
	}
}
