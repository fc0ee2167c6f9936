/**
 * The deltas of one item: a client can only append them, so what was sent is never taken back. Only text that several hypotheses agree on is sent, and where
 * it changes after all, nothing more of its segment is; `completed` has the text to keep. Pure.
 */
import { joinTexts } from "../../../session/join-text.js";
import type { Language } from "../../../text/languages.js";
import type { Delay } from "./settings.js";

export class Deltas {
	#language: Language;
	readonly #delay: Delay;
	/** The segment before, as it became final. */
	#before = "";
	/** Sent of the open segment. */
	#sent = "";
	/** What the last hypotheses but one agreed on, where three have to. */
	#agreed = "";

	constructor(language: Language, delay: Delay) {
		this.#language = language;
		this.#delay = delay;
	}

	/** For what is joined from now on: the language has been identified. */
	useLanguage(language: Language): void {
		this.#language = language;
	}

	/**
	 * @param stable UTF-16 units at its beginning that two hypotheses agree on.
	 * @returns the delta; empty: none.
	 */
	partial(text: string, stable: number): string {
		return this.#grown(this.#sureOf(text, stable));
	}

	/** @param text of the segment, which changes no more. @returns the rest of it, where what was sent begins it. */
	final(text: string): string {
		const rest = this.#grown(text);
		if (text.trim() !== "") this.#before = text;
		this.#sent = "";
		this.#agreed = "";
		return rest;
	}

	#sureOf(text: string, stable: number): string {
		switch (this.#delay) {
			case "minimal":
				return text;
			case "low":
			case "medium":
				return text.slice(0, stable);
			case "high": {
				const now = text.slice(0, stable);
				const sure = begins(now, this.#agreed) ? this.#agreed : "";
				this.#agreed = now;
				return sure;
			}
			case "xhigh":
				return "";
		}
	}

	#grown(text: string): string {
		const sure = text.trim();
		const sent = this.#sent;
		if (sure.length <= sent.length || !begins(sure, sent)) return "";
		this.#sent = sure;
		if (sent !== "") return sure.slice(sent.length);
		const before = this.#before.trim();
		return joinTexts([before, sure], this.#language).slice(before.length);
	}
}

/** Whether a text goes on from another one. The first letter may have become a capital since (text/sentence-start.ts). */
function begins(text: string, start: string): boolean {
	const [first = ""] = start;
	return (
		text.slice(0, first.length).toLowerCase() === first.toLowerCase() &&
		text.slice(first.length).startsWith(start.slice(first.length))
	);
}
