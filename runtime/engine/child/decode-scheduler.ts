/**
 * Decodes for many recognitions on one recognizer, in the order of `DecodeOrder`. A final that one recognition is owed aborts speculative work of others, and all
 * partials, at the next step or segment.
 */

import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { Hypothesis, SpeechRecognizer } from "../../models/recognizer.js";
import type { Decode } from "../../session/decode-plan.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Language } from "../../text/languages.js";
import {
	DecodeOrder,
	type OrderedRecognition,
	type Turn,
} from "./decode-order.js";
import { identifyLanguage } from "./identified-language.js";
import { prepareLists } from "./list-preparation.js";
import { SegmentDecoder } from "./segment-decoder.js";
import { isBatchRecognizer, SharedRecognition } from "./shared-recognition.js";

/** A recognition that has segments to decode. */
export interface ScheduledRecognition extends OrderedRecognition {
	/** With `languageChoices` until its language is identified. */
	readonly options: RecognitionOptions;
	/** @param isSure false: it counts until more speech shows its language, and `languageChoices` stay. */
	useLanguage(language: Language, isSure: boolean): void;
	/** The recognizer is at work for it, or on what it waits behind. */
	showLife(): void;
	/** Polled while the decode runs. */
	mayAbandon(decode: Decode, othersAreOwed: boolean): boolean;
	/** @param costSeconds recognizer time, scaled as if all open segments needed as much; of a first text, as if all that wait for one did. */
	settle(
		decode: Decode,
		result: Hypothesis | "cancelled",
		costSeconds: number,
	): void;
	/** Decoding failed. */
	fail(error: unknown): void;
}

/** More share a step at little gain, and the first one waits for the sound of all others to be encoded. */
const togetherMax = 8;

export class DecodeScheduler {
	readonly #recognizer: SpeechRecognizer;
	readonly #decoder: SegmentDecoder;
	readonly #order = new DecodeOrder<ScheduledRecognition>();
	/** By recognition, the segment that was decoded last. */
	readonly #segments = new WeakMap<
		ScheduledRecognition,
		Pick<Decode["segment"], "index" | "startSample">
	>();
	#busy = false;
	#audioSeconds = 0;
	#decodeSeconds = 0;

	/** @param beam for requests that do not set one. */
	constructor(recognizer: SpeechRecognizer, beam: number) {
		this.#recognizer = recognizer;
		this.#decoder = new SegmentDecoder(recognizer, beam);
	}

	get audioSeconds(): number {
		return this.#audioSeconds;
	}

	get decodeSeconds(): number {
		return this.#decodeSeconds;
	}

	/** Call before a recognition's first decode. */
	prepare(options: RecognitionOptions, isOver: () => boolean): Promise<void> {
		return prepareLists(this.#recognizer, options, isOver);
	}

	join(recognition: ScheduledRecognition): void {
		this.#order.join(recognition);
	}

	leave(recognition: ScheduledRecognition): void {
		this.#order.leave(recognition);
	}

	/** There may be something to decode. */
	wake(): void {
		if (this.#busy) return;
		this.#busy = true;
		void this.#run();
	}

	async #run(): Promise<void> {
		for (;;) {
			const isShared = isBatchRecognizer(this.#recognizer);
			const turns = this.#order.take(isShared ? togetherMax : 1);
			if (turns.length === 0) break;
			await this.#decodeTogether(turns);
			await yieldToEventLoop(); // lets messages be read between decodes even if the recognizer never yields
		}
		this.#busy = false;
	}

	async #decodeTogether(
		turns: readonly Turn<ScheduledRecognition>[],
	): Promise<void> {
		const recognizer = this.#recognizer;
		const shared =
			turns.length > 1 && isBatchRecognizer(recognizer)
				? new SharedRecognition(recognizer, turns.length)
				: undefined;
		const since = performance.now();
		await Promise.all(
			turns.map(async (turn) => {
				await this.#decode(turn, turns.length, shared);
				shared?.leave();
			}),
		);
		// once for all: some recognizers take them one by one, so that the last has waited for the others
		const seconds = (performance.now() - since) / 1000;
		if (turns.every((it) => isCounted(it.decode)))
			this.#decodeSeconds += seconds;
	}

	/** Never rejects. @param count how many are decoded at the same time. */
	async #decode(
		turn: Turn<ScheduledRecognition>,
		count: number,
		shared: SharedRecognition | undefined,
	): Promise<void> {
		const since = performance.now();
		const { recognition, decode } = turn;
		const sharing = this.#order.sharing(turn);
		const cancelled = () => {
			this.#showLife();
			return recognition.mayAbandon(
				decode,
				this.#order.othersAreOwed(recognition),
			);
		};
		try {
			const isReady = await this.#isLanguageSettled(
				recognition,
				decode,
				cancelled,
			);
			const result = isReady
				? await this.#decoder.decode(
						decode,
						recognition.options,
						this.#segmentKeyOf(recognition, decode),
						cancelled,
						shared,
					)
				: "cancelled";
			const seconds = (performance.now() - since) / 1000 / count;
			if (result !== "cancelled" && isCounted(decode))
				this.#audioSeconds += decode.segment.samples.length / sampleRateHz;
			recognition.settle(decode, result, seconds * Math.max(1, sharing));
		} catch (error) {
			recognition.fail(error);
		}
	}

	/**
	 * Called between decoder steps, of which a decode has a limited number. An inference that hangs is silent, and so is everybody behind it; one that waits for
	 * anything but the recognizer is owed nothing here, so the work of others does not hide that it hangs.
	 */
	#showLife(): void {
		for (const waiting of this.#order.owed) waiting.showLife();
	}

	/** @returns false where a partial has too little speech to identify its language by. */
	async #isLanguageSettled(
		recognition: ScheduledRecognition,
		decode: Decode,
		cancelled: () => boolean,
	): Promise<boolean> {
		const { languageChoices } = recognition.options;
		if (!languageChoices || !this.#recognizer.identifyLanguage) return true;
		const found = await identifyLanguage(
			this.#recognizer,
			languageChoices,
			decode,
		);
		if (found === "too-early") return false;
		if (!found) return true;
		recognition.useLanguage(found.language, found.isSure);
		await this.prepare(recognition.options, cancelled);
		return true;
	}

	#segmentKeyOf(
		recognition: ScheduledRecognition,
		{ segment }: Decode,
	): object {
		const { index, startSample } = segment;
		const last = this.#segments.get(recognition);
		if (last?.index === index && last.startSample === startSample) return last;
		const segmentKey = { index, startSample };
		this.#segments.set(recognition, segmentKey);
		return segmentKey;
	}
}

/** Partials are not: they use spare time, which says nothing about capacity. */
function isCounted({ urgency }: Decode): boolean {
	return urgency !== "partial";
}
