/**
 * Cuts a passage that was recognized in one piece into its speaker's sentences, at silences that are long enough. A recognizer given several
 * sentences together makes fewer errors than one given them singly, and each costs less (docs/benchmarks/rejected.md); word times then assign the words
 * to sentences.
 *
 * INVARIANT: the joined texts of the parts are the passage's text, except for spaces and the marks at the cuts.
 */

import { sampleRateHz } from "../audio/sample-rate.js";
import type { Hypothesis, RecognizedWord } from "../models/recognizer.js";
import type { Segment, Silence } from "../segmentation/events.js";
import { placesOf } from "../text/edits.js";
import type { Language } from "../text/languages.js";
import { markStyleOf } from "../text/languages.js";
import { endsSentence, isMark } from "../text/marks.js";

export interface PassageSentence {
	/** The passage, with the sentence's own begin and end of speech. */
	readonly segment: Segment;
	readonly hypothesis: Hypothesis;
}

export interface SentenceOptions {
	readonly language: Language;
	readonly punctuation: boolean;
	/** Silence that ends a sentence. */
	readonly maxSentenceSilenceMs: number;
}

/** A word and its position in the text. */
interface Placed {
	readonly word: RecognizedWord;
	readonly from: number;
}

const fullStop = { zh: "。", ja: "。", en: "." } as const;
/** A mark at the end that leaves a sentence open. */
const openEnd = /[,，、;；:：]\s*$/u;
const opening = /^[\p{Ps}\p{Pi}]$/u;

/** The silences in a passage that end a sentence. */
export function sentenceBreaks(
	segment: Segment,
	maxSentenceSilenceMs: number,
): readonly Silence[] {
	const samplesMin = (maxSentenceSilenceMs * sampleRateHz) / 1000;
	return segment.pauses.filter(
		({ startSample, endSample }) => endSample - startSample >= samplesMin,
	);
}

/** @param hypothesis with words; without them nothing is cut. */
export function passageSentencesOf(
	segment: Segment,
	hypothesis: Hypothesis,
	options: SentenceOptions,
): PassageSentence[] {
	const breaks = sentenceBreaks(segment, options.maxSentenceSilenceMs);
	const words = placesOf(hypothesis.text, hypothesis.words);
	if (breaks.length === 0 || words.length === 0)
		return [{ segment, hypothesis }];
	const sentences: PassageSentence[] = [];
	let first = 0; // word
	let speechStartSample = segment.speechStartSample;
	for (const silence of breaks) {
		const next = wordAfter(words, segment, silence);
		if (next > first && next < words.length) {
			const part = words.slice(first, next);
			sentences.push({
				segment: {
					...segment,
					speechStartSample,
					speechEndSample: silence.startSample,
					endSample: silence.endSample,
				},
				hypothesis: partOf(hypothesis, part, words[next], options),
			});
			first = next;
		}
		// a span without words counts as silence before the next sentence
		if (next === first) speechStartSample = silence.endSample;
	}
	sentences.push({
		segment: { ...segment, speechStartSample },
		hypothesis: partOf(hypothesis, words.slice(first), undefined, options),
	});
	return sentences;
}

/** The first word spoken after the silence, with the opening marks before it. */
function wordAfter(
	words: readonly Placed[],
	segment: Segment,
	{ startSample, endSample }: Silence,
): number {
	const middle =
		((startSample + endSample) / 2 - segment.startSample) / sampleRateHz;
	let next = words.findIndex(
		({ word }) =>
			word.kind === "normal" &&
			(word.startSeconds + word.endSeconds) / 2 > middle,
	);
	if (next < 0) return words.length;
	while (next > 0 && opening.test((words[next - 1] as Placed).word.text))
		next--;
	return next;
}

/** @param after the word that follows; undefined at the passage's end. */
function partOf(
	whole: Hypothesis,
	placed: readonly Placed[],
	after: Placed | undefined,
	options: SentenceOptions,
): Hypothesis {
	const from = placed[0]?.from ?? 0;
	const text = whole.text.slice(from, after?.from).trim();
	const words = placed.map(({ word }) => word);
	const spoken = words.filter(({ kind }) => kind === "normal");
	const confidence =
		spoken.reduce((sum, it) => sum + it.confidence, 0) /
		Math.max(1, spoken.length);
	// the language of the whole need not be that of a part
	const { spokenIn: _, ...rest } = whole;
	const part = { ...rest, text, words, confidence };
	const language = whole.spokenIn ?? options.language;
	return after && options.punctuation ? closed(part, language) : part;
}

/** Adds a full stop if the speaker ended a sentence that the recognizer continued. */
function closed(part: Hypothesis, language: Language): Hypothesis {
	const last = [...part.text].at(-1) ?? "";
	if (endsSentence(last) || part.text === "") return part;
	if (isMark(last) && !openEnd.test(part.text)) return part;
	const stop = fullStop[markStyleOf(language)];
	const words = [...part.words];
	const end = words.at(-1);
	if (openEnd.test(part.text) && end?.kind === "punc") words.pop();
	const { endSeconds = 0, confidence = 0 } = words.at(-1) ?? {};
	words.push({
		text: stop,
		startSeconds: endSeconds,
		endSeconds,
		kind: "punc",
		confidence,
	});
	return { ...part, text: part.text.replace(openEnd, "") + stop, words };
}
