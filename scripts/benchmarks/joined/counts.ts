/** What became of the sentences of joined recordings: errors beside the same clips alone, and how many were lost; by half, and by language. */
import type { Clip } from "../clips.js";
import {
	countErrors,
	type ErrorCount,
	errorPercent,
	type ScoredLanguage,
} from "../scoring.js";
import { isLost, lostInOrder } from "./found.js";
import type { Half, JoinedRecording, Label } from "./recordings.js";

interface Counted extends ErrorCount {
	readonly half: Half;
	readonly language: ScoredLanguage;
}

export class JoinedCounts {
	readonly #joined: Counted[] = [];
	readonly #alone: Counted[] = [];
	sentences = 0;
	readonly lost: { readonly clip: string; readonly text: string }[] = [];

	/** @param aloneOf what the same recognizer makes of a clip by itself. */
	add(
		{ members, half, label }: JoinedRecording,
		text: string,
		aloneOf: (clip: Clip) => string,
	): void {
		for (const language of new Set(members.map((it) => it.language))) {
			const own = members.filter((it) => it.language === language);
			const hypothesis = inLanguage(text, label, language);
			const reference = own.map(referenceOf).join(" ");
			const where = { half, language };
			this.#joined.push({
				...where,
				...countErrors(reference, hypothesis, language),
			});
			for (const clip of own)
				this.#alone.push({
					...where,
					...countErrors(referenceOf(clip), aloneOf(clip), language),
				});
		}
		this.sentences += members.length;
		const sentenceOf = (clip: Clip) => ({
			reference: referenceOf(clip),
			language: clip.language,
			alone: aloneOf(clip),
		});
		const isRepeated = new Set(members).size < members.length;
		for (const language of new Set(members.map((it) => it.language))) {
			const own = members.filter((it) => it.language === language);
			const sentences = own.map(sentenceOf);
			const areLost = isRepeated
				? lostInOrder(sentences, inLanguage(text, label, language))
				: sentences.map((it) => isLost(it, text));
			own.forEach((clip, i) => {
				if (areLost[i]) this.lost.push({ clip: clip.name, text });
			});
		}
	}

	/** @param of some of them only. */
	percents(of: Partial<Pick<Counted, "half" | "language">> = {}) {
		const some = (counts: readonly Counted[]) =>
			errorPercent(
				counts.filter(
					(it) =>
						(of.half ?? it.half) === it.half &&
						(of.language ?? it.language) === it.language,
				),
			);
		return { joined: some(this.#joined), alone: some(this.#alone) };
	}

	get languages(): readonly ScoredLanguage[] {
		return [...new Set(this.#joined.map((it) => it.language))];
	}
}

const referenceOf = ({ reference = "" }: Clip) => reference;

function inLanguage(text: string, label: Label, language: ScoredLanguage) {
	return label.includes("-") ? scriptOf(text, language) : text;
}

/** With the numbers that stand between or before its words, and numbers in a row with its commas or spaces ("1, 2, 3"). */
const english = /[A-Za-z'][A-Za-z0-9' ]*|\d+(?:,? \d+)+|\d+(?=\s+[A-Za-z])/g;

/** Of a text in two languages: what is in the letters of one. */
export function scriptOf(text: string, language: ScoredLanguage): string {
	return language === "en"
		? (text.match(english) ?? []).join(" ")
		: text.replace(english, " ");
}
