/** What a client appends until it commits: one item, of as many recognitions as there were pauses long enough to give the slot back. */
import type { CodedError } from "../../../errors.js";
import type { SessionEvent, Word } from "../../../session/events.js";
import { joinTexts } from "../../../session/join-text.js";
import type { RecognitionOptions } from "../../../session/options.js";
import type { Language } from "../../../text/languages.js";
import type { Item, ItemResult } from "./item.js";

export class ManualTurn {
	readonly item: Item;
	audioMs = 0;
	/** Recognitions of it that have not ended. */
	runsOpen = 0;
	/** Undefined: not yet. Milliseconds of a monotonic clock. */
	committedAtMs: number | undefined;
	/** `clear` came after the commit, and is answered after it. */
	clearsOwed = 0;
	#error: CodedError | undefined;
	#texts: string[] = [];
	#words: Word[] = [];
	#joinedAs: Language = "en-US";
	#language: Language | undefined;

	constructor(item: Item) {
		this.item = item;
	}

	get isCommitted(): boolean {
		return this.committedAtMs !== undefined;
	}

	/** Why it has no text. */
	get error(): CodedError | undefined {
		return this.#error;
	}

	/** The first reason counts. */
	fail(error: CodedError): void {
		this.#error ??= error;
	}

	add(
		completed: SessionEvent & { is: "completed" },
		{ language, languageChoices }: RecognitionOptions,
	): void {
		this.#texts.push(completed.text);
		this.#words.push(...completed.words);
		this.#joinedAs = completed.language ?? language;
		this.#language =
			completed.language ?? (languageChoices ? undefined : language);
	}

	result(): ItemResult {
		return {
			text: joinTexts(this.#texts, this.#joinedAs),
			words: this.#words,
			language: this.#language,
			seconds: this.audioMs / 1000,
		};
	}
}
