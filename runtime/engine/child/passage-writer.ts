/**
 * Turns the hypotheses for a file's passages into reported utterances: cut into sentences, post-processed, numbered by channel.
 *
 * INVARIANT: the passages of a channel arrive in order.
 */
import {
	emptyHypothesis,
	type UnrecognizedSpeech,
} from "../../models/recognizer.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Part } from "../../session/parts.js";
import {
	type PassageSentence,
	passageSentencesOf,
} from "../../session/sentences.js";
import {
	skippedSpeech,
	unrecognizedIn,
} from "../../session/unrecognized-speech.js";
import { makeUtterance } from "../../session/utterance.js";
import { writeUtterance } from "../../session/writing.js";
import { TextPipeline } from "../../text/pipeline.js";
import type { Resume, UtterancesEvent } from "../file-job.js";
import type { Passage } from "./channel-segmenter.js";

type PassageUtterance = UtterancesEvent["utterances"][number];

/** A sentence, or speech that has no text. */
type SentenceOrGap = PassageSentence & {
	readonly unrecognized?: UnrecognizedSpeech;
};

export class PassageWriter {
	readonly #options: RecognitionOptions;
	readonly #pipeline: TextPipeline;
	/** Index of the next utterance, by channel. */
	readonly #nextIndex: number[];
	/** Of the last utterance with a text, by channel. */
	readonly #texts: string[] = [];

	/** @param resumes by channel. */
	constructor(options: RecognitionOptions, resumes: readonly Resume[]) {
		this.#options = options;
		this.#pipeline = new TextPipeline(options);
		this.#nextIndex = resumes.map(({ index }) => index);
	}

	/** @param parts undefined: the passage was skipped. */
	write(passage: Passage, parts: readonly Part[] | undefined): UtterancesEvent {
		const { channel, segment } = passage;
		const utterances = parts
			? this.#sentences(passage, parts)
			: [this.#skipped(passage)];
		const sample = segment.endSample;
		const index = this.#indexOf(passage);
		return { is: "heard", channel, utterances, resume: { sample, index } };
	}

	#sentences(passage: Passage, parts: readonly Part[]): PassageUtterance[] {
		const written: PassageUtterance[] = [];
		for (const part of parts.flatMap((it) => this.#sentencesAndGapsOf(it))) {
			const index = this.#indexOf(passage);
			const { unrecognized } = part;
			const recognized = makeUtterance(
				{ ...part.segment, index },
				part.hypothesis,
			);
			const utterance = writeUtterance(
				recognized,
				this.#pipeline,
				this.#texts[passage.channel],
			);
			if (utterance.text === "" && !unrecognized) continue;
			if (utterance.text !== "") this.#texts[passage.channel] = utterance.text;
			this.#count(passage);
			const words = this.#options.words ? utterance.words : [];
			written.push({
				...utterance,
				words,
				...(unrecognized && { unheard: unrecognized }),
			});
		}
		return written;
	}

	/** The part's sentences and its unrecognized speech, in order of time. */
	#sentencesAndGapsOf(part: Part): readonly SentenceOrGap[] {
		const { segment } = part;
		const unrecognized = unrecognizedIn(part).map(
			({ startSample, endSample, why, seconds }) => ({
				segment: {
					...segment,
					speechStartSample: startSample,
					speechEndSample: endSample,
				},
				hypothesis: emptyHypothesis(),
				unrecognized: { why, seconds },
			}),
		);
		return [...this.#sentencesOf(part), ...unrecognized].sort(
			(a, b) => a.segment.speechStartSample - b.segment.speechStartSample,
		);
	}

	#sentencesOf({
		segment,
		hypothesis,
		spokenIn,
	}: Part): readonly PassageSentence[] {
		const sentences = passageSentencesOf(segment, hypothesis, this.#options);
		if (!spokenIn) return sentences;
		return sentences.map((it) => ({
			...it,
			hypothesis: { ...it.hypothesis, spokenIn },
		}));
	}

	#skipped(passage: Passage): PassageUtterance {
		const index = this.#indexOf(passage);
		this.#count(passage);
		const segment = { ...passage.segment, index };
		return {
			...makeUtterance(segment, emptyHypothesis()),
			skipped: true,
			unheard: skippedSpeech(segment),
		};
	}

	#indexOf({ channel }: Passage): number {
		return this.#nextIndex[channel - 1] ?? 1;
	}

	#count(passage: Passage): void {
		this.#nextIndex[passage.channel - 1] = this.#indexOf(passage) + 1;
	}
}
