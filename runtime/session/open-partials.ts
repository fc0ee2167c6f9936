/** The partials of a session, where they are requested: those of whichever segment is open (partial-track.ts), and what they take over from the segments before. */
import type { Hypothesis } from "../models/recognizer.js";
import type { SegmentEvent } from "../segmentation/events.js";
import type { Language } from "../text/languages.js";
import type { Decode } from "./decode-plan.js";
import type { Utterance } from "./events.js";
import type { RecognitionOptions } from "./options.js";
import { PartialTrack, type ShownPartial } from "./partial-track.js";
import type { SessionSegmenter } from "./session-segmenter.js";
import type { TranscriptWriter } from "./transcript-writer.js";

export type PartialsOptions = Pick<RecognitionOptions, "language"> &
	Partial<
		Pick<
			RecognitionOptions,
			"partials" | "partialWords" | "partialMs" | "stablePartials"
		>
	>;

type BeginEvent = Extract<SegmentEvent, { is: "begin" }>;

export class OpenPartials {
	readonly #options: PartialsOptions;
	readonly #writer: Pick<TranscriptWriter, "pipeline" | "lastText">;
	#language: Language;
	/** Of the open segment. */
	#begin: BeginEvent | undefined;
	/** Of the open segment, if partials are requested. */
	#track: PartialTrack | undefined;
	/** In mixed speech, the language of the last final that was in one language. */
	#spokenIn: Language | undefined;

	/** @param writer of the finals: partials pass the same pipeline. */
	constructor(
		options: PartialsOptions,
		writer: Pick<TranscriptWriter, "pipeline" | "lastText">,
	) {
		this.#options = options;
		this.#language = options.language;
		this.#writer = writer;
	}

	/** A segment is open, and partials of it are wanted. */
	get isTracking(): boolean {
		return this.#track !== undefined;
	}

	/** Nothing has been shown of the open segment yet. */
	get awaitsText(): boolean {
		return this.#track?.hasShown === false;
	}

	accept(event: SegmentEvent): void {
		if (event.is === "end") this.#track = this.#begin = undefined;
		if (event.is !== "begin") return;
		this.#begin = event;
		this.#startTrack(event);
	}

	/** The partials of the open segment begin anew. @param language that the writer uses already. */
	useLanguage(language: Language): void {
		this.#language = language;
		if (this.#begin) this.#startTrack(this.#begin);
	}

	/** Of the segment before the next one. */
	noteFinal({ spokenIn }: Utterance): void {
		this.#spokenIn = spokenIn ?? this.#spokenIn;
	}

	/** @param atSample how much audio has arrived. @returns undefined when none is due. */
	next(
		segmenter: Pick<SessionSegmenter, "openSegment">,
		atSample: number,
	): Omit<Decode, "urgency"> | undefined {
		const track = this.#track;
		if (!track?.isDue(atSample)) return undefined;
		const segment = segmenter.openSegment(track.fromSample);
		return segment && track.next(segment);
	}

	/** @param decode of the open segment. @returns what is shown now, if that has changed. */
	settle(
		decode: Decode,
		hypothesis: Hypothesis,
		costSeconds: number,
	): ShownPartial | undefined {
		return this.#track?.accept(decode, hypothesis, costSeconds);
	}

	/** A partial was cancelled: it still cost time. */
	pass(costSeconds: number): void {
		this.#track?.pass(costSeconds);
	}

	#startTrack(begin: BeginEvent): void {
		const { partials, partialWords, partialMs, stablePartials } = this.#options;
		if (!partials) return;
		this.#track = new PartialTrack(
			{
				language: this.#language,
				words: partialWords ?? false,
				...(this.#spokenIn && { presumedIn: this.#spokenIn }),
				...(stablePartials && { stableToo: true }),
				...(partialMs !== undefined && { strideMs: partialMs }),
			},
			begin,
			this.#writer.pipeline,
			() => this.#writer.lastText,
		);
	}
}
