/** Writes what was recognized in the segments of one recognition as its options want it, and the text of all of them. */
import { isJapanese, type Language } from "../text/languages.js";
import { TextPipeline } from "../text/pipeline.js";
import type { DecodedSegment } from "./decode-plan.js";
import type { Utterance } from "./events.js";
import type { RecognitionOptions } from "./options.js";
import { Transcript } from "./transcript.js";
import { makeUtterance } from "./utterance.js";
import { writeUtterance } from "./writing.js";

export type WritingOptions = Pick<RecognitionOptions, "language"> &
	Partial<
		Pick<
			RecognitionOptions,
			| "keepsWhole"
			| "punctuation"
			| "inverseTextNormalization"
			| "modalParticleFilter"
			| "corrections"
			| "forbidden"
			| "listsIgnoreMarks"
		>
	>;

export class TranscriptWriter {
	#options: WritingOptions;
	readonly #readAloud: ((text: string) => string) | undefined;
	#pipeline: TextPipeline;
	#transcript: Transcript;
	#lastText = "";

	/** @param readAloud returns the reading of a Japanese text, where requested (`Utterance.spoken`). */
	constructor(
		options: WritingOptions,
		readAloud: ((text: string) => string) | undefined,
	) {
		this.#options = options;
		this.#readAloud = readAloud;
		this.#pipeline = new TextPipeline(options);
		this.#transcript = this.#emptyTranscript();
	}

	/** What texts pass. */
	get pipeline(): TextPipeline {
		return this.#pipeline;
	}

	/** Of the last segment that has one. */
	get lastText(): string {
		return this.#lastText;
	}

	/** For what is written from now on; text from before the language was identified stays. */
	useLanguage(language: Language): void {
		this.#options = { ...this.#options, language };
		this.#pipeline = new TextPipeline(this.#options);
		this.#transcript.useLanguage(language);
	}

	/** Adds the text of a segment. */
	write({ segment, hypothesis }: DecodedSegment): Utterance {
		const recognized = makeUtterance(segment, hypothesis);
		const utterance = this.#readOut(
			writeUtterance(recognized, this.#pipeline, this.#lastText),
		);
		this.#lastText = utterance.text || this.#lastText;
		this.#transcript.add(utterance);
		if (utterance.text === "" && recognized.text !== "")
			this.#transcript.addFillers(this.#withFillers(recognized));
		return utterance;
	}

	/** A segment takes the place of all that was written. */
	rewrite(decoded: DecodedSegment): void {
		this.#transcript = this.#emptyTranscript();
		this.#lastText = "";
		this.write(decoded);
	}

	whole(): ReturnType<Transcript["whole"]> {
		return this.#transcript.whole();
	}

	#emptyTranscript(): Transcript {
		return new Transcript(this.#options.language, this.#options.keepsWhole);
	}

	#readOut(written: Utterance): Utterance {
		if (!this.#readAloud || !isJapanese(this.#options.language)) return written;
		return { ...written, spoken: this.#readAloud(written.text) };
	}

	#withFillers(recognized: Utterance): Utterance {
		const { modalParticleFilter: _, ...options } = this.#options;
		return this.#readOut(writeUtterance(recognized, new TextPipeline(options)));
	}
}
