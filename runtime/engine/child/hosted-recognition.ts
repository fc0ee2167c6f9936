/**
 * One recognition inside an engine: decodes its bytes, feeds the session, takes its turns at the recognizer, and
 * reports the events. Ends exactly once: `completed` emitted, failed, or cancelled.
 */

import assert from "node:assert";
import type { ContainerDecoder } from "../../audio/decoder-port.js";
import type { Hypothesis } from "../../models/recognizer.js";
import type { Decode, Urgency } from "../../session/decode-plan.js";
import type { SessionEvent } from "../../session/events.js";
import type { RecognitionOptions } from "../../session/options.js";
import { RecognitionSession } from "../../session/recognition.js";
import type { SessionSegmenter } from "../../session/session-segmenter.js";
import { mayBeJapanese } from "../../session/wanted-language.js";
import {
	type JapaneseReader,
	openReader,
	readText,
} from "../../text/ja/reading.js";
import type { Language } from "../../text/languages.js";
import { samplesOf } from "./audio-source.js";
import { ByteQueue, sentenceEnd } from "./byte-queue.js";
import type {
	DecodeScheduler,
	ScheduledRecognition,
} from "./decode-scheduler.js";

export interface RecognitionListener {
	onEvent(event: SessionEvent): void;
	/** @param error anything; nothing follows. */
	onFailed(error: unknown): void;
	/** This many more bytes were used up; 0 is a sign of life. */
	onUsed(bytes: number): void;
	/** The recognition has ended, for whatever reason, and holds nothing any more. */
	onEnded(): void;
}

export interface HostedListener extends RecognitionListener {
	/** Which one of the `languageChoices` is spoken is certain now: `options` has it. */
	onLanguage(): void;
}

/** Segments that may await their final before reading audio pauses. */
const finalsOwedMax = 2;

export class HostedRecognition implements ScheduledRecognition {
	/** With the language that was identified, once that is done. */
	#options: RecognitionOptions;
	readonly #session: RecognitionSession;
	readonly #decoder: ContainerDecoder;
	readonly #scheduler: DecodeScheduler;
	readonly #listener: HostedListener;
	readonly #queue: ByteQueue;
	readonly #abort = new AbortController();
	#wakePump: (() => void) | undefined;
	/** Loaded before any audio is accepted, if readings are wanted. */
	#reader: JapaneseReader | undefined;

	constructor(
		options: RecognitionOptions,
		segmenter: SessionSegmenter,
		decoder: ContainerDecoder,
		scheduler: DecodeScheduler,
		listener: HostedListener,
	) {
		this.#options = options;
		this.#session = new RecognitionSession(
			options,
			segmenter,
			readsAloud(options) ? (text) => this.#readAloud(text) : undefined,
		);
		this.#decoder = decoder;
		this.#scheduler = scheduler;
		this.#listener = listener;
		this.#queue = new ByteQueue({
			onUsed: (bytes) => listener.onUsed(bytes),
			onStarved: () => scheduler.wake(),
		});
	}

	/** Settles when the recognition has ended and released everything; never rejects. */
	async run(): Promise<void> {
		this.#scheduler.join(this);
		try {
			if (readsAloud(this.options)) this.#reader = await openReader();
			await this.#scheduler.prepare(this.options, () => this.#over);
			await this.#pump();
			await this.#untilCompleted();
		} catch (error) {
			this.#end(() => this.#listener.onFailed(error));
		} finally {
			this.#scheduler.leave(this);
			this.#listener.onEnded();
		}
	}

	push(bytes: Uint8Array): void {
		this.#queue.push(bytes);
	}

	/** Ends the sentence after the bytes pushed so far. */
	endSentence(): void {
		this.#queue.mark();
	}

	finish(): void {
		this.#queue.end();
	}

	cancel(): void {
		this.#end(() => {});
	}

	get options(): RecognitionOptions {
		return this.#options;
	}

	useLanguage(language: Language, isSure: boolean): void {
		if (this.#over) return; // it ended meanwhile: nothing is held for it any more
		const { languageChoices, ...others } = this.#options;
		this.#options = {
			...others,
			...(others.translatedFrom ? { translatedFrom: language } : { language }),
			...(!isSure && languageChoices && { languageChoices }),
		};
		this.#session.useLanguage(language);
		if (isSure) this.#listener.onLanguage();
	}

	get finalsOwed(): number {
		return this.#over ? 0 : this.#session.finalsOwed;
	}

	get speaking(): boolean {
		return !this.#over && this.#session.hasOpenSegment;
	}

	get awaitsText(): boolean {
		return !this.#over && this.#session.awaitsText;
	}

	nextDecode(urgency: Urgency): Decode | undefined {
		if (this.#over) return undefined;
		// queued bytes may end the pause that a speculative decode is based on
		const wanted = this.#queue.starved ? urgency : "final";
		return this.#session.nextDecode(wanted);
	}

	showLife(): void {
		if (!this.#over) this.#listener.onUsed(0);
	}

	mayAbandon(decode: Decode, othersAreOwed: boolean): boolean {
		return this.#over || this.#session.mayAbandon(decode, othersAreOwed);
	}

	settle(
		decode: Decode,
		result: Hypothesis | "cancelled",
		costSeconds: number,
	): void {
		this.#emit(this.#session.settle(decode, result, costSeconds));
		this.#wakePump?.();
	}

	fail(error: unknown): void {
		this.#end(() => this.#listener.onFailed(error));
	}

	get #over(): boolean {
		return this.#abort.signal.aborted;
	}

	#readAloud(text: string): string {
		assert(this.#reader, "the reader is loaded before any audio is accepted");
		return readText(this.#reader, text);
	}

	async #pump(): Promise<void> {
		const { signal } = this.#abort;
		const audio = samplesOf(this.#queue, this.options, this.#decoder, signal);
		for await (const samples of audio) {
			if (this.#over) return;
			this.#emit(
				samples === sentenceEnd
					? this.#session.endSentence()
					: await this.#session.accept(samples),
			);
			if (!this.#session.acceptsAudio) {
				this.#queue.discard(); // before leaving the loop: a decoder may be waiting for bytes
				break;
			}
			while (this.#session.finalsOwed > finalsOwedMax && !this.#over)
				await this.#nextSettle();
		}
		if (!this.#over) this.#emit(await this.#session.finish());
	}

	async #untilCompleted(): Promise<void> {
		while (!this.#session.completed && !this.#over) await this.#nextSettle();
	}

	#nextSettle(): Promise<void> {
		return new Promise((resolve) => {
			this.#wakePump = () => {
				this.#wakePump = undefined;
				resolve();
			};
		});
	}

	#emit(events: readonly SessionEvent[]): void {
		if (this.#over) return;
		for (const event of events) this.#listener.onEvent(event);
		this.#listener.onUsed(0);
		this.#scheduler.wake();
	}

	/** Ends the recognition, once, and stops all work for it. */
	#end(report: () => void): void {
		if (this.#over || this.#session.completed) return;
		report();
		this.#abort.abort();
		this.#queue.discard();
		this.#wakePump?.();
	}
}

function readsAloud(options: RecognitionOptions): boolean {
	return options.spoken === true && mayBeJapanese(options.language, options);
}
