/**
 * Turns the recognizer's text into the text that people read: named steps in order, each a set of edits.
 *
 *   fillers      marked as words of kind `modal`; removed if the filter is on
 *   numbers      in digits (inverse text normalization on) or in words (off), whatever the model wrote
 *   punctuation  marks and spaces as the language writes them; or no marks, after the numbers that they separate (三，十二个 is not 32个)
 *   corrections  the vocabularies, one after another
 *   forbidden    masked
 *
 * Before them, what was recognized by itself gets the capital letter of a new sentence (sentence-start.ts).
 *
 * INVARIANT: the text is the same with words and without.
 */

import type { Piecewise } from "../event-loop/piecewise.js";
import type { WordList } from "../words/word-list.js";
import { compiledCorrections, correct } from "./corrections.js";
import { applyEdits, type Draft, type Edit, type TextRule } from "./edits.js";
import { dropFillers, markFillers } from "./fillers.js";
import { compiledForbidden, mask } from "./forbidden.js";
import type { LanguageRules } from "./language-rules.js";
import type { Language } from "./languages.js";
import { isSpaced, markStyleOf, pairOf } from "./languages.js";
import { spellMarks, spellMixedMarks } from "./punctuation.js";
import { rulesOf } from "./registry.js";
import { startSentence } from "./sentence-start.js";
import { withoutMarks } from "./without-marks.js";

/** Absent options leave the model's text unchanged. */
export interface TextOptions {
	readonly language: Language;
	readonly modalParticleFilter?: boolean;
	readonly inverseTextNormalization?: boolean;
	readonly punctuation?: boolean;
	readonly corrections?: readonly WordList[];
	readonly forbidden?: readonly WordList[];
	/** They see the text without its marks, which are left out later. */
	readonly listsIgnoreMarks?: boolean;
}

export interface TextStep {
	readonly name:
		| "fillers"
		| "numbers"
		| "punctuation"
		| "corrections"
		| "forbidden";
	/** The changes of this step. */
	edits(text: string): readonly Edit[];
	/** Applies them, words included. */
	apply(draft: Draft): Draft;
}

/** Compiles lists before their first use, in pieces; otherwise the first text waits for all of it. */
export function* preparingText({
	corrections,
	forbidden,
}: Pick<TextOptions, "corrections" | "forbidden">): Piecewise<void> {
	for (const list of corrections ?? [])
		yield* compiledCorrections.preparing(list);
	for (const list of forbidden ?? []) yield* compiledForbidden.preparing(list);
}

/** An open end may itself follow an open end; normal speech hardly has two. */
const openRoundsMax = 8;

export class TextPipeline {
	readonly steps: readonly TextStep[];
	readonly #options: TextOptions;

	constructor(options: TextOptions) {
		this.#options = options;
		this.steps = stepsOf(options);
	}

	/** @param before what was written of the speech before, if this was recognized by itself. */
	write(draft: Draft, before = ""): Draft {
		let written = this.#started(draft, before);
		for (const step of this.steps) written = step.apply(written);
		return written;
	}

	#started(draft: Draft, before: string): Draft {
		const { language, punctuation } = this.#options;
		const hasSentences =
			punctuation && (isSpaced(language) || pairOf(language));
		return hasSentences
			? applyEdits(draft, startSentence(draft.text, before))
			: draft;
	}

	/** The position from which the end of a growing text may still be written differently. */
	openFrom(text: string): number {
		let open = text.length;
		// the text before an open end may itself have an open end
		for (let round = 0; round < openRoundsMax; round++) {
			const next = this.#openEnd(text.slice(0, open));
			if (next === open) break;
			open = next;
		}
		return open;
	}

	#openEnd(text: string): number {
		const { language, inverseTextNormalization, punctuation } = this.#options;
		const { corrections, forbidden } = this.#options;
		const rules = rulesOf[language];
		const phrases = [
			...(corrections ?? []).map((it) => compiledCorrections.of(it)),
			...(forbidden ?? []).map((it) => compiledForbidden.of(it)),
		];
		return Math.min(
			inverseTextNormalization === undefined
				? text.length
				: (rules.openFrom?.(text) ?? text.length),
			punctuation && pairOf(language) ? openMark(text) : text.length,
			punctuation && !isSpaced(language) ? openPeriods(text) : text.length,
			...phrases.map((it) => it.openFrom(text)),
		);
	}
}

/** In two languages, a mark behind a Latin word has the width of what follows it. */
function openMark(text: string): number {
	const mark = /(?<=[\p{Script=Latin}\p{N}])[,.?!:;，。、？！：；]\s*$/u.exec(
		text,
	);
	return mark?.index ?? text.length;
}

/** A period may become "...", which is written another way, or be that of "Dr. 王". */
function openPeriods(text: string): number {
	let open = text.trimEnd().length;
	while (text[open - 1] === ".") open--;
	return open;
}

function stepsOf(options: TextOptions): TextStep[] {
	const { language, modalParticleFilter, inverseTextNormalization } = options;
	const rules = rulesOf[language];
	const steps: TextStep[] = [];
	if (modalParticleFilter !== undefined)
		steps.push(fillerStep(rules, modalParticleFilter));
	if (inverseTextNormalization !== undefined) {
		const rule = inverseTextNormalization
			? rules.writeNumbers
			: rules.speakNumbers;
		steps.push(editing("numbers", rule));
	}
	steps.push(...punctuationSteps(options));
	const shown = (rule: TextRule) =>
		options.listsIgnoreMarks
			? withoutMarks(rule, markStyleOf(options.language))
			: rule;
	for (const list of options.corrections ?? [])
		steps.push(
			editing(
				"corrections",
				shown((text) => correct(text, list)),
			),
		);
	const { forbidden = [] } = options;
	if (forbidden.length > 0)
		steps.push(
			editing(
				"forbidden",
				shown((text) => mask(text, forbidden)),
			),
		);
	return steps;
}

function punctuationSteps({ language, punctuation }: TextOptions): TextStep[] {
	if (punctuation === undefined) return [];
	const style = markStyleOf(language);
	const spell = pairOf(language) ? spellMixedMarks : spellMarks;
	return [
		editing("punctuation", (text) => {
			const characters = [...text];
			return differences(characters, spell(characters, style, punctuation));
		}),
	];
}

function editing(
	name: TextStep["name"],
	edits: (text: string) => readonly Edit[],
): TextStep {
	return {
		name,
		edits,
		apply: (draft) => applyEdits(draft, edits(draft.text)),
	};
}

function fillerStep(rules: LanguageRules, isFiltered: boolean): TextStep {
	const edits = (text: string) =>
		isFiltered ? dropFillers(text, rules.fillers(text)) : [];
	return {
		name: "fillers",
		edits,
		apply: (draft) =>
			applyEdits(
				markFillers(draft, rules.fillers(draft.text)),
				edits(draft.text),
			),
	};
}

/** @param written the replacement of each character. */
function differences(
	characters: readonly string[],
	written: readonly string[],
): Edit[] {
	const edits: Edit[] = [];
	let at = 0;
	characters.forEach((character, i) => {
		const text = written[i] as string;
		const to = at + character.length;
		if (text !== character) edits.push({ from: at, to, text });
		at = to;
	});
	return edits;
}
