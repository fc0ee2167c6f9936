/**
 * The partials of one open segment: when the next one is due, what it hears, and what is shown of it.
 *
 * INVARIANTS
 * - After a partial, so much more audio must have come as a few times what it cost: partials take a bounded share of the recognizer, and none is queued.
 * - What a partial costs does not grow with the segment: past `windowSamplesMax` it hears the end of the segment only. What was committed before is frozen
 *   and stands in front; the border is the end of a word, by the word times of one partial.
 * - Of mixed speech partials hear what comes behind the last pause: what was heard up to it is frozen.
 * - Agreement is on what the recognizer wrote; what is shown of it went through the text pipeline, as the final will.
 *
 * Pure: time is counted in samples, costs are handed in by whoever owns the clock.
 */
import { sampleRateHz, samplesToMs } from "../audio/sample-rate.js";
import type { Hypothesis, Language } from "../models/recognizer.js";
import { pairOf } from "../models/spoken-languages.js";
import {
	type Guess,
	StreamingAgreement,
} from "../search/streaming-agreement.js";
import {
	countUnits,
	textBehind,
	withoutLastMarks,
} from "../search/text-units.js";
import type { Segment } from "../segmentation/events.js";
import type { TextPipeline } from "../text/pipeline.js";
import type { Decode } from "./decode-plan.js";
import type { Utterance, Word } from "./events.js";
import { joinTexts } from "./join-text.js";
import { PartialLanguage } from "./partial-language.js";
import { makeUtterance } from "./utterance.js";
import { writeOpenUtterance } from "./writing.js";

/** From where speech begins, with the quiet beginning of its first sound: a syllable. */
const firstSamples = 0.45 * sampleRateHz;
/** Words do not come faster than this. */
const strideMsDefault = 240;
/** Until something is shown, partials follow each other: the first word is what a speaker waits for. */
const strideSamplesEarly = 0.04 * sampleRateHz;
/** But not where many speak, or the device is slow: finals must not wait. */
const hurryCostSamplesMax = 0.15 * sampleRateHz;
/** So much audio for each second of decoding. */
const strideTimesCost = 2;
/** Partials further apart than this are shown without waiting for the next one to agree. */
const rareSamples = 0.5 * sampleRateHz;
/** Past this a partial's hearing is cut to its end, */
const windowSamplesMax = 11 * sampleRateHz;
/** of which so much stays at least: words need what was said before them. */
const windowKeptSamples = 4 * sampleRateHz;
/** Of a pause, the end of what was said before it: a last sound dies away. */
const pauseHeardSamples = 0.1 * sampleRateHz;

export interface PartialOptions {
	readonly language: Language;
	readonly words: boolean;
	/** Of mixed speech, the language of what was said before. */
	readonly presumedIn?: Language;
	/** Audio between two partials at least. */
	readonly strideMs?: number;
}

export class PartialTrack {
	readonly #options: PartialOptions;
	readonly #beginMs: number;
	readonly #pipeline: TextPipeline;
	readonly #language: PartialLanguage;
	#agreement = new StreamingAgreement();
	/** What partials hear begins here. */
	#fromSample: number;
	/** What was said before that. */
	#frozenText = "";
	#frozenWords: readonly Word[] = [];
	/** Of mixed speech, the language of that, where it is one. */
	#frozenIn: Language | undefined;
	/** Where the newest partial's hearing ended, and what it cost. */
	#heardUntil: number;
	readonly #strideSamplesMin: number;
	#strideSamples: number;
	#told = "";
	#confidence = 0;

	constructor(
		options: PartialOptions,
		begin: Pick<Segment, "startSample" | "speechStartSample">,
		pipeline: TextPipeline,
	) {
		const { startSample, speechStartSample } = begin;
		this.#options = options;
		this.#pipeline = pipeline;
		this.#language = new PartialLanguage(options.presumedIn);
		this.#beginMs = samplesToMs(speechStartSample);
		this.#fromSample = startSample;
		const strideMs = options.strideMs ?? strideMsDefault;
		this.#strideSamplesMin = (strideMs / 1000) * sampleRateHz;
		this.#strideSamples = this.#strideSamplesMin;
		this.#heardUntil = speechStartSample + firstSamples - this.#strideSamples;
	}

	get fromSample(): number {
		return this.#fromSample;
	}

	/** @param sample how much audio has been heard. */
	isDue(sample: number): boolean {
		return sample - this.#heardUntil >= this.#strideSamples;
	}

	/** @param segment the open segment from `fromSample` on. */
	next(segment: Segment): Omit<Decode, "urgency"> {
		this.#heardUntil = segment.endSample;
		return {
			segment,
			...this.#language.request,
			prefixTokens: this.#agreement.prefixTokens,
			words: this.#options.words || isTooLong(segment),
		};
	}

	/** A partial was given up: it cost something all the same. */
	pass(costSeconds: number): void {
		this.#pace(costSeconds);
	}

	/** @returns what is shown now, where that is news. */
	accept(
		{ urgency, segment }: Decode,
		hypothesis: Hypothesis,
		costSeconds: number,
	): Utterance | undefined {
		if (urgency === "partial") this.#pace(costSeconds);
		if (pairOf(this.#options.language)) {
			if (urgency !== "partial") return this.#settle(segment, hypothesis);
			const language = this.#language.accept(segment, hypothesis);
			if (language === "unknown") return undefined;
			if (language === "other") this.#agreement = new StreamingAgreement();
		}
		const guess = this.#guess(segment, hypothesis, urgency !== "partial");
		if (!guess) return undefined;
		this.#agreement.accept(guess);
		const told = this.#tell(segment, hypothesis);
		if (urgency === "partial" && isTooLong(segment))
			this.#narrow(segment, hypothesis);
		return told;
	}

	#pace(costSeconds: number): void {
		const costSamples = costSeconds * sampleRateHz;
		const hurries = this.#told === "" && costSamples < hurryCostSamplesMax;
		this.#strideSamples = hurries
			? Math.max(strideSamplesEarly, costSamples)
			: Math.max(this.#strideSamplesMin, strideTimesCost * costSamples);
	}

	/** What the hypothesis says of the samples from `fromSample` on: it may have heard the whole segment. */
	#guess(
		segment: Segment,
		hypothesis: Hypothesis,
		whole: boolean,
	): Guess | undefined {
		const rare = this.#strideSamples > rareSamples;
		if (segment.startSample >= this.#fromSample)
			return { ...hypothesis, whole, rare };
		const text = textBehind(hypothesis.text, this.#frozenText);
		if (text === undefined) return undefined;
		const { confidence } = hypothesis;
		return { text, tokens: [], confidence, whole, rare };
	}

	#tell(segment: Segment, hypothesis: Hypothesis): Utterance | undefined {
		const text = this.#textWith(this.#agreement.text, hypothesis.spokenIn);
		if (text === "") return undefined;
		const heard = makeUtterance(segment, hypothesis);
		const frozenEndMs = this.#frozenWords.at(-1)?.endMs ?? 0;
		const news = heard.words.filter((it) => it.startMs >= frozenEndMs);
		const words = this.#options.words
			? [...this.#frozenWords, ...this.#agreement.shownOf(news)]
			: [];
		// a hypothesis that is forced to its end found nothing to be sure of
		this.#confidence = hypothesis.confidence || this.#confidence;
		const confidence = this.#confidence;
		const written = writeOpenUtterance(
			{ ...heard, beginMs: this.#beginMs, text, confidence, words },
			this.#pipeline,
		);
		if (!written || written.text === this.#told) return undefined;
		this.#told = written.text;
		return written;
	}

	/** Whether a sentence ended in the pause before it is told by what follows: a mark stands where the language changes. */
	#textWith(shown: string, spokenIn: Language | undefined): string {
		const goesOn = shown === "" || spokenIn === this.#frozenIn;
		const isEndOpen = goesOn && this.#frozenIn !== undefined;
		const frozen = isEndOpen
			? withoutLastMarks(this.#frozenText)
			: this.#frozenText;
		return joinTexts([frozen, shown], this.#options.language);
	}

	/** Of mixed speech what was heard up to a pause stands in front: it may be in two languages, and what comes in either. */
	#settle(segment: Segment, hypothesis: Hypothesis): Utterance | undefined {
		if (hypothesis.text === "") return undefined;
		this.#frozenText = hypothesis.text;
		this.#frozenIn = hypothesis.spokenIn;
		this.#frozenWords = makeUtterance(segment, hypothesis).words;
		this.#agreement = new StreamingAgreement();
		this.#fromSample = segment.speechEndSample + pauseHeardSamples;
		this.#language.pause(hypothesis.spokenIn);
		return this.#tell(segment, { ...hypothesis, words: [] });
	}

	/** The next partials hear less: from the last committed word's end that leaves enough. */
	#narrow(segment: Segment, hypothesis: Hypothesis): void {
		const secondsMax =
			(segment.samples.length - windowKeptSamples) / sampleRateHz;
		const early = hypothesis.words.filter((it) => it.endSeconds <= secondsMax);
		const last = early.at(-1);
		if (!last) return;
		const units = countUnits(early.map((it) => it.text).join(" "));
		const split = this.#agreement.splitCommitted(units);
		if (!split) return;
		const words = makeUtterance(segment, { ...hypothesis, words: early }).words;
		this.#frozenWords = [...this.#frozenWords, ...words];
		this.#frozenText = joinTexts(
			[this.#frozenText, split.before],
			this.#options.language,
		);
		this.#agreement = new StreamingAgreement(split.after);
		this.#fromSample += Math.round(last.endSeconds * sampleRateHz);
	}
}

function isTooLong(segment: Segment): boolean {
	return segment.samples.length > windowSamplesMax;
}
