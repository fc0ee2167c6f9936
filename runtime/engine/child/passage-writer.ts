/**
 * What was heard of a file's passages, as it is told: cut into sentences, written, numbered by channel.
 *
 * INVARIANT: passages of a channel come in their order.
 */
import type { Utterance } from "../../session/events.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Part } from "../../session/parts.js";
import { type Sentence, sentencesOf } from "../../session/sentences.js";
import { makeUtterance } from "../../session/utterance.js";
import { writeUtterance } from "../../session/writing.js";
import { TextPipeline } from "../../text/pipeline.js";
import type { FileEvent, Resume } from "../file-job.js";
import type { Passage } from "./channel-ear.js";

export type Heard = Extract<FileEvent, { readonly is: "heard" }>;

export class PassageWriter {
	readonly #options: RecognitionOptions;
	readonly #pipeline: TextPipeline;
	/** By channel, of the next utterance. */
	readonly #nextIndex: number[];

	/** @param resumes by channel. */
	constructor(options: RecognitionOptions, resumes: readonly Resume[]) {
		this.#options = options;
		this.#pipeline = new TextPipeline(options);
		this.#nextIndex = resumes.map(({ index }) => index);
	}

	/** @param parts undefined: it is left out. */
	write(passage: Passage, parts: readonly Part[] | undefined): Heard {
		const { channel, segment } = passage;
		const utterances = parts
			? this.#sentences(passage, parts)
			: [this.#skipped(passage)];
		const sample = segment.endSample;
		const index = this.#indexOf(passage);
		return { is: "heard", channel, utterances, resume: { sample, index } };
	}

	#sentences(passage: Passage, parts: readonly Part[]): Utterance[] {
		const written: Utterance[] = [];
		const sentences = parts.flatMap((part) => this.#sentencesOf(part));
		for (const part of sentences) {
			const index = this.#indexOf(passage);
			const heard = makeUtterance({ ...part.segment, index }, part.hypothesis);
			const utterance = writeUtterance(heard, this.#pipeline);
			if (utterance.text === "") continue;
			this.#count(passage);
			written.push(
				this.#options.words ? utterance : { ...utterance, words: [] },
			);
		}
		return written;
	}

	#sentencesOf({ segment, hypothesis, spokenIn }: Part): readonly Sentence[] {
		const sentences = sentencesOf(segment, hypothesis, this.#options);
		if (!spokenIn) return sentences;
		return sentences.map((it) => ({
			...it,
			hypothesis: { ...it.hypothesis, spokenIn },
		}));
	}

	#skipped(passage: Passage): Heard["utterances"][number] {
		const index = this.#indexOf(passage);
		this.#count(passage);
		const nothing = {
			text: "",
			tokens: [],
			confidence: 0,
			words: [],
			guards: [],
		};
		const segment = { ...passage.segment, index };
		return { ...makeUtterance(segment, nothing), skipped: true };
	}

	#indexOf({ channel }: Passage): number {
		return this.#nextIndex[channel - 1] ?? 1;
	}

	#count(passage: Passage): void {
		this.#nextIndex[passage.channel - 1] = this.#indexOf(passage) + 1;
	}
}
