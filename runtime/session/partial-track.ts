/**
 * The partials of one open segment: which samples the next one decodes, and what is shown. partial-pace.ts decides when it is due.
 *
 * INVARIANTS
 * - The cost of a partial does not grow with the segment: past `windowSamplesMax` only the end of the segment is decoded. What was committed before is frozen
 *   and prepended; the border is the end of a word, by the word times of one partial, or anywhere while there is no text.
 * - In mixed speech partials decode what follows the last pause: what was recognized before it is frozen.
 * - Agreement compares the recognizer's text; the text shown has passed the text pipeline, as the final will.
 *
 * Pure: time is counted in samples.
 */

import { sampleRateHz, samplesToMs } from "../audio/sample-rate.js";
import type { Hypothesis } from "../models/recognizer.js";
import {
	StreamingAgreement,
	type StreamingHypothesis,
} from "../search/streaming-agreement.js";
import {
	countUnits,
	textAfter,
	withoutLastMarks,
} from "../search/text-units.js";
import type { Segment } from "../segmentation/events.js";
import { type Language, pairOf } from "../text/languages.js";
import type { TextPipeline } from "../text/pipeline.js";
import type { Decode } from "./decode-plan.js";
import type { Utterance, Word } from "./events.js";
import { joinTexts } from "./join-text.js";
import { PartialLanguage } from "./partial-language.js";
import { PartialPace } from "./partial-pace.js";
import { stableUnits } from "./stable-text.js";
import { makeUtterance } from "./utterance.js";
import { writeOpenUtterance } from "./writing.js";

/** Past this length a partial decodes only the segment's end, */
const windowSamplesMax = 11 * sampleRateHz;
/** of which at least this much is kept: words need the context before them. */
const windowKeptSamples = 4 * sampleRateHz;
/** Kept from before a pause: the last sound fades out in it. */
const pauseKeptSamples = 0.1 * sampleRateHz;

export interface PartialOptions {
	readonly language: Language;
	readonly words: boolean;
	/** In mixed speech, the language of the speech before. */
	readonly presumedIn?: Language;
	/** Partials are also returned where only their stable part has grown. */
	readonly stableToo?: boolean;
	/** Minimum amount of audio between two partials. */
	readonly strideMs?: number;
}

export interface ShownPartial {
	readonly utterance: Utterance;
	/** UTF-16 units at the beginning of its text that two hypotheses agree on. */
	readonly stable: number;
}

export class PartialTrack {
	readonly #options: PartialOptions;
	readonly #beginMs: number;
	readonly #pipeline: TextPipeline;
	readonly #before: () => string;
	readonly #language: PartialLanguage;
	#agreement = new StreamingAgreement();
	/** First sample that partials decode. */
	#fromSample: number;
	/** The text before that sample. */
	#frozenText = "";
	#frozenWords: readonly Word[] = [];
	/** In mixed speech, the language of the frozen text, if it is in one. */
	#frozenIn: Language | undefined;
	readonly #pace: PartialPace;
	#shownText = "";
	#stable = 0;
	#confidence = 0;

	/** @param before returns the text of the segment before, which may be recognized later than this one's beginning. */
	constructor(
		options: PartialOptions,
		begin: Pick<Segment, "startSample" | "speechStartSample">,
		pipeline: TextPipeline,
		before: () => string,
	) {
		const { startSample, speechStartSample } = begin;
		this.#options = options;
		this.#pipeline = pipeline;
		this.#before = before;
		this.#language = new PartialLanguage(options.presumedIn);
		this.#beginMs = samplesToMs(speechStartSample);
		this.#fromSample = startSample;
		this.#pace = new PartialPace(speechStartSample, options.strideMs);
	}

	get fromSample(): number {
		return this.#fromSample;
	}

	get hasShown(): boolean {
		return this.#shownText !== "";
	}

	/** @param sample how much audio has arrived. */
	isDue(sample: number): boolean {
		return this.#pace.isDue(sample);
	}

	/** @param segment the open segment from `fromSample` on. */
	next(segment: Segment): Omit<Decode, "urgency"> {
		this.#pace.begin(segment.endSample);
		return {
			segment,
			...this.#language.request,
			prefixTokens: this.#agreement.prefixTokens,
			words: this.#options.words || isTooLong(segment),
		};
	}

	/** A partial was cancelled: it still cost time. */
	pass(costSeconds: number): void {
		this.#pace.end(costSeconds, this.hasShown);
	}

	/** @returns what is shown now, if that has changed. */
	accept(
		{ urgency, segment }: Decode,
		hypothesis: Hypothesis,
		costSeconds: number,
	): ShownPartial | undefined {
		if (urgency === "partial") this.#pace.end(costSeconds, this.hasShown);
		if (pairOf(this.#options.language)) {
			if (urgency !== "partial") return this.#settle(segment, hypothesis);
			const language = this.#language.accept(segment, hypothesis);
			if (language === "unknown") return undefined;
			if (language === "other") this.#agreement = new StreamingAgreement();
		}
		const shownPart = this.#hypothesisFor(
			segment,
			hypothesis,
			urgency !== "partial",
		);
		if (!shownPart) return undefined;
		this.#agreement.accept(shownPart);
		const shown = this.#shownOf(segment, hypothesis);
		if (urgency === "partial" && isTooLong(segment))
			this.#narrow(segment, hypothesis);
		return shown;
	}

	/** The part of the hypothesis from `fromSample` on: the hypothesis may cover the whole segment. */
	#hypothesisFor(
		segment: Segment,
		hypothesis: Hypothesis,
		whole: boolean,
	): StreamingHypothesis | undefined {
		const rare = this.#pace.isRare;
		if (segment.startSample >= this.#fromSample)
			return { ...hypothesis, whole, rare };
		if (this.#frozenText === "" && hypothesis.text !== "") {
			this.#fromSample = segment.startSample; // what was left out has text after all
			return { ...hypothesis, whole, rare };
		}
		const text = textAfter(hypothesis.text, this.#frozenText);
		if (text === undefined) return undefined;
		const { confidence } = hypothesis;
		return { text, tokens: [], confidence, whole, rare };
	}

	#shownOf(segment: Segment, hypothesis: Hypothesis): ShownPartial | undefined {
		const text = this.#textWith(this.#agreement.text, hypothesis.spokenIn);
		if (text === "") return undefined;
		const recognized = makeUtterance(segment, hypothesis);
		const frozenEndMs = this.#frozenWords.at(-1)?.endMs ?? 0;
		const newWords = recognized.words.filter((it) => it.startMs >= frozenEndMs);
		const words = this.#options.words
			? [...this.#frozenWords, ...this.#agreement.shownOf(newWords)]
			: [];
		// a hypothesis that was cut short has no confidence: keep the last one
		this.#confidence = hypothesis.confidence || this.#confidence;
		const confidence = this.#confidence;
		const written = writeOpenUtterance(
			{ ...recognized, beginMs: this.#beginMs, text, confidence, words },
			this.#pipeline,
			this.#before(),
		);
		if (!written) return undefined;
		const stable = this.#stableOf(written, hypothesis.spokenIn);
		const hasChanged =
			written.text !== this.#shownText ||
			(this.#options.stableToo && stable > this.#stable);
		this.#shownText = written.text;
		this.#stable = stable;
		return hasChanged ? { utterance: written, stable } : undefined;
	}

	/** The agreed text, written as the shown one is, begins it; what was stable stays so while the text begins with it. */
	#stableOf(shown: Utterance, spokenIn: Language | undefined): number {
		const text = this.#textWith(this.#agreement.committedText, spokenIn);
		const agreed = writeOpenUtterance(
			{ ...shown, text, words: [] },
			this.#pipeline,
			this.#before(),
		);
		const before = this.#shownText.slice(0, this.#stable);
		return Math.max(
			stableUnits(shown.text, agreed?.text ?? ""),
			shown.text.startsWith(before) ? before.length : 0,
		);
	}

	/** The text after a pause decides whether a sentence ended there: only a change of language keeps the mark before it. */
	#textWith(shown: string, spokenIn: Language | undefined): string {
		const continues = shown === "" || spokenIn === this.#frozenIn;
		const isEndOpen = continues && this.#frozenIn !== undefined;
		const frozen = isEndOpen
			? withoutLastMarks(this.#frozenText)
			: this.#frozenText;
		return joinTexts([frozen, shown], this.#options.language);
	}

	/** In mixed speech, freezes what was recognized up to a pause: it may be in two languages, and what follows in either. */
	#settle(segment: Segment, hypothesis: Hypothesis): ShownPartial | undefined {
		if (hypothesis.text === "") return undefined;
		this.#frozenText = hypothesis.text;
		this.#frozenIn = hypothesis.spokenIn;
		const border = segment.speechEndSample + pauseKeptSamples;
		const endSample = Math.min(segment.endSample, border);
		const frozen = makeUtterance({ ...segment, endSample }, hypothesis);
		this.#frozenWords = frozen.words;
		this.#agreement = new StreamingAgreement();
		this.#fromSample = border;
		this.#language.pause(hypothesis.spokenIn);
		return this.#shownOf(segment, { ...hypothesis, words: [] });
	}

	/** Makes the next partials decode less: from the end of the last committed word that leaves enough audio. */
	#narrow(segment: Segment, hypothesis: Hypothesis): void {
		const isSilent = hypothesis.text === "" && this.#agreement.text === "";
		if (isSilent && this.#frozenText === "") {
			// sound without text has no word to cut at
			this.#agreement = new StreamingAgreement();
			this.#fromSample = segment.endSample - windowKeptSamples;
			return;
		}
		const secondsMax =
			(segment.samples.length - windowKeptSamples) / sampleRateHz;
		const early = hypothesis.words.filter((it) => it.endSeconds <= secondsMax);
		const last = early.at(-1);
		if (!last) return;
		const units = countUnits(early.map((it) => it.text).join(" "));
		const split = this.#agreement.splitCommitted(units);
		if (!split) return;
		const border =
			this.#fromSample + Math.round(last.endSeconds * sampleRateHz);
		// what follows the border is not theirs: the next partial's words begin there
		const end = Math.max(border, segment.speechStartSample);
		const { words } = makeUtterance(
			{ ...segment, endSample: end, speechEndSample: end },
			{ ...hypothesis, words: early },
		);
		this.#frozenWords = [...this.#frozenWords, ...words];
		this.#frozenText = joinTexts(
			[this.#frozenText, split.before],
			this.#options.language,
		);
		this.#agreement = new StreamingAgreement(split.after);
		this.#fromSample = border;
	}
}

function isTooLong(segment: Segment): boolean {
	return segment.samples.length > windowSamplesMax;
}
