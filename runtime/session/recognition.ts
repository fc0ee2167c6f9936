/**
 * One recognition: samples in, events out. Uses no clock and does no decoding: the owner of the recognizer asks for the next
 * decode and returns its result, so that many sessions share one recognizer fairly.
 *
 * Time is counted in samples, and the input is processed in windows counted from its start: any chunking of the input gives the same events.
 */

import assert from "node:assert";
import { samplesToMs } from "../audio/sample-rate.js";
import type { Hypothesis } from "../models/recognizer.js";
import { windowSamples } from "../segmentation/speech-detector.js";
import type { Language } from "../text/languages.js";
import {
	AutomaticEnd,
	type EndOptions,
	type Progress,
} from "./automatic-end.js";
import {
	type Decode,
	type DecodedSegment,
	DecodePlan,
	type Urgency,
} from "./decode-plan.js";
import { DividedRequest } from "./divided-request.js";
import { EventOrder } from "./event-order.js";
import type { SessionEvent } from "./events.js";
import { OpenPartials, type PartialsOptions } from "./open-partials.js";
import type { RecognitionOptions } from "./options.js";
import type { SegmenterEvents, SessionSegmenter } from "./session-segmenter.js";
import { TranscriptWriter, type WritingOptions } from "./transcript-writer.js";

type Why = Extract<SessionEvent, { is: "completed" }>["why"];

type Phase =
	| { readonly is: "open" }
	/** No more audio; finals may be pending. */
	| { readonly is: "closing"; readonly why: Why }
	| { readonly is: "completed" };

export type SessionOptions = WritingOptions &
	EndOptions &
	PartialsOptions &
	Partial<Pick<RecognitionOptions, "oneText" | "wake" | "translatedFrom">>;

export class RecognitionSession {
	readonly #segmenter: SessionSegmenter;
	readonly #plan = new DecodePlan();
	/** If one text is wanted of all the audio. */
	readonly #divided: DividedRequest | undefined;
	readonly #options: SessionOptions;
	readonly #writer: TranscriptWriter;
	readonly #partials: OpenPartials;
	readonly #automaticEnd: AutomaticEnd;
	/** The language that was identified. */
	#identified: Language | undefined;
	readonly #order = new EventOrder();
	/** Speech was given up in at least one final. */
	#hasGivenUp = false;
	#samplesSeen = 0;
	#phase: Phase = { is: "open" };

	/** @param readAloud returns the reading of a Japanese text, where requested (`Utterance.spoken`). */
	constructor(
		options: SessionOptions,
		segmenter: SessionSegmenter,
		readAloud?: (text: string) => string,
	) {
		this.#options = options;
		this.#writer = new TranscriptWriter(options, readAloud);
		this.#partials = new OpenPartials(options, this.#writer);
		this.#automaticEnd = new AutomaticEnd(options);
		this.#segmenter = segmenter;
		const { oneText, keepsWhole = true, wake } = options;
		// between the sentences after a wake word there may be speech that is not to be recognized
		this.#divided =
			oneText && keepsWhole && !wake ? new DividedRequest() : undefined;
	}

	/** False after `finish` or once the duration is reached. */
	get acceptsAudio(): boolean {
		return this.#phase.is === "open";
	}

	get completed(): boolean {
		return this.#phase.is === "completed";
	}

	get hasOpenSegment(): boolean {
		return this.#plan.openIndex !== undefined;
	}

	/** Nothing has been shown of the open segment yet. */
	get awaitsText(): boolean {
		return this.#partials.awaitsText;
	}

	get finalsOwed(): number {
		return this.#plan.finalsOwed;
	}

	/** @param samples mono, 16 kHz, gain applied; any length. One call at a time. Audio past the duration is dropped. */
	async accept(samples: Float32Array): Promise<SessionEvent[]> {
		const events: SessionEvent[] = [];
		if (this.acceptsAudio) await this.#segmenter.precompute?.(samples);
		let offset = 0;
		while (offset < samples.length && this.#phase.is === "open") {
			const untilWindowEnds =
				windowSamples - (this.#samplesSeen % windowSamples);
			const untilTooLong = this.#automaticEnd.samplesMax - this.#samplesSeen;
			const length = Math.min(untilWindowEnds, untilTooLong);
			const step = samples.subarray(offset, offset + length);
			if (length === 0) return [...events, ...(await this.#close("duration"))];
			offset += step.length;
			this.#samplesSeen += step.length;
			this.#divided?.accept(step);
			const segmentEvents = await this.#segmenter.accept(step);
			events.push(...this.#absorb(segmentEvents));
			if (this.#automaticEnd.isSilent(this.#progress, segmentEvents))
				events.push(...(await this.#close("suffix-silence")));
		}
		return events;
	}

	async finish(): Promise<SessionEvent[]> {
		return this.#phase.is === "open" ? this.#close("finished") : [];
	}

	/** The language has been identified, perhaps not for the last time. */
	useLanguage(language: Language): void {
		if (language === this.#identified) return;
		this.#identified = language;
		if (this.#options.translatedFrom) return; // its text stays in the same language
		this.#writer.useLanguage(language);
		this.#partials.useLanguage(language);
	}

	/** Ends the sentence here. */
	endSentence(): SessionEvent[] {
		if (this.#phase.is !== "open") return [];
		return this.#absorb(this.#segmenter.endSentence());
	}

	/** @param urgency the least urgent work wanted now. */
	nextDecode(urgency: Urgency): Decode | undefined {
		return this.#plan.next(urgency, () =>
			this.#partials.next(this.#segmenter, this.#samplesSeen),
		);
	}

	/** The decode is no longer wanted, or another recognition needs the recognizer more urgently. */
	mayAbandon(decode: Decode, othersAreOwed: boolean): boolean {
		if (decode.urgency === "final" || this.#plan.isOwed(decode)) return false;
		if (othersAreOwed) return true;
		if (!this.#plan.isStale(decode)) return false;
		// speech resumed: the pause that the decode was for is over, but it makes a good partial
		return !(
			decode.urgency === "speculative" &&
			this.#partials.isTracking &&
			this.#plan.isOpen(decode.segment)
		);
	}

	/** @param costSeconds recognizer time of the decode: the next partial waits for a multiple of it. */
	settle(
		decode: Decode,
		result: Hypothesis | "cancelled",
		costSeconds = 0,
	): SessionEvent[] {
		this.#plan.settle(decode, result);
		if (decode.urgency === "final") return this.#eventsDue();
		if (result === "cancelled") {
			if (decode.urgency === "partial") this.#partials.pass(costSeconds);
			return this.#eventsDue();
		}
		return [
			...this.#partial(decode, result, costSeconds),
			...this.#eventsDue(),
		];
	}

	/** What may be shown of the open segment, if that has changed. */
	#partial(
		decode: Decode,
		hypothesis: Hypothesis,
		costSeconds: number,
	): SessionEvent[] {
		const { index } = decode.segment;
		if (this.#plan.openIndex !== index) return [];
		const shown = this.#partials.settle(decode, hypothesis, costSeconds);
		// partials are emitted only after the segment's begin: an earlier final may be pending
		if (!shown || index > this.#order.finalsEmitted + 1) return [];
		const audioMs = samplesToMs(this.#samplesSeen);
		return [{ is: "partial", ...shown, audioMs, ...this.#language }];
	}

	get #progress(): Progress {
		return {
			samplesSeen: this.#samplesSeen,
			hasBegun: this.#order.hasBegun,
			hasOpenSegment: this.hasOpenSegment,
			silentSamples: this.#segmenter.silentSamples,
		};
	}

	async #close(why: Why): Promise<SessionEvent[]> {
		assert(this.#phase.is === "open", "closed twice");
		const segmentEvents = await this.#segmenter.finish();
		// set only now: a result that settles meanwhile must not complete the session, a segment may yet end
		this.#phase = { is: "closing", why };
		return this.#absorb(segmentEvents);
	}

	#absorb(segmentEvents: SegmenterEvents): SessionEvent[] {
		for (const event of segmentEvents) {
			if (event.is === "wake" || event.is === "sleep") {
				this.#order.addWake(event, samplesToMs(this.#samplesSeen));
				continue;
			}
			this.#plan.accept(event, this.#samplesSeen);
			this.#partials.accept(event);
			if (event.is === "begin") this.#order.addBegin(event);
		}
		return this.#eventsDue();
	}

	/** Events that can be emitted now: for each segment begin to final, before those of the next one, however late its text. */
	#eventsDue(): SessionEvent[] {
		const events: SessionEvent[] = this.#order.takeDue();
		for (const decoded of this.#plan.takeDecoded()) {
			if (this.#divided?.isWhole(decoded.segment)) {
				// the finals are emitted; only the whole text changes
				if (this.#divided.isBetter(decoded.hypothesis))
					this.#writer.rewrite(decoded);
				continue;
			}
			this.#divided?.add(decoded);
			events.push(this.#final(decoded));
			this.#order.finalEmitted();
			events.push(...this.#order.takeDue());
		}
		if (this.#phase.is === "closing" && this.#plan.finalsOwed === 0) {
			const segment = this.#divided?.takeWhole();
			if (segment)
				this.#plan.accept(
					{ is: "end", segment, why: "finish" },
					this.#samplesSeen,
				);
			else events.push(this.#complete(this.#phase.why));
		}
		return events;
	}

	#final(decoded: DecodedSegment): SessionEvent {
		const utterance = this.#writer.write(decoded);
		this.#partials.noteFinal(utterance);
		const { unrecognized = [] } = decoded.hypothesis;
		const hasGivenUp = unrecognized.length > 0;
		this.#hasGivenUp ||= hasGivenUp;
		return {
			is: "final",
			utterance,
			audioMs: samplesToMs(decoded.decidedAtSample),
			...(hasGivenUp && { unrecognized }),
			...this.#language,
		};
	}

	get #language(): { readonly language?: Language } {
		return this.#identified ? { language: this.#identified } : {};
	}

	#complete(why: Why): SessionEvent {
		this.#phase = { is: "completed" };
		const whole = this.#writer.whole();
		const isSilent = this.#order.finalsEmitted > 0 && whole.text === "";
		return {
			is: "completed",
			...whole,
			...(isSilent && this.#hasGivenUp && { notUnderstood: true }),
			audioMs: samplesToMs(this.#samplesSeen),
			...this.#language,
			why,
		};
	}
}
