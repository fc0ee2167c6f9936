/**
 * One recognition inside an engine: pumps its bytes through the audio room into the session, takes its turns at the recognizer, and
 * tells what comes out. Ends exactly once: `completed` told, failed, or cancelled.
 */

import assert from "node:assert";
import type { ContainerDecoder } from "../../audio/decoder-port.js";
import type { Hypothesis } from "../../models/recognizer.js";
import type { Decode, Urgency } from "../../session/decode-plan.js";
import type { SessionEvent } from "../../session/events.js";
import type { RecognitionOptions } from "../../session/options.js";
import {
	RecognitionSession,
	type SessionSegmenter,
} from "../../session/recognition.js";
import {
	type JapaneseReader,
	openReader,
	readText,
} from "../../text/ja/reading.js";
import { isJapanese } from "../../text/languages.js";
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
	/** So many more bytes were used up; 0 is a sign of life. */
	onUsed(bytes: number): void;
	/** Nothing is left of it, in whatever way it ended. */
	onGone(): void;
}

/** Ended segments that may wait for their text before the audio has to wait, too. */
const finalsOwedMax = 2;

export class HostedRecognition implements ScheduledRecognition {
	readonly options: RecognitionOptions;
	readonly #session: RecognitionSession;
	readonly #decoder: ContainerDecoder;
	readonly #scheduler: DecodeScheduler;
	readonly #listener: RecognitionListener;
	readonly #queue: ByteQueue;
	readonly #abort = new AbortController();
	#wakePump: (() => void) | undefined;
	/** Loaded before the first audio is heard, where readings are wanted. */
	#reader: JapaneseReader | undefined;

	constructor(
		options: RecognitionOptions,
		segmenter: SessionSegmenter,
		decoder: ContainerDecoder,
		scheduler: DecodeScheduler,
		listener: RecognitionListener,
	) {
		this.options = options;
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

	/** Settles when nothing is left of it; never rejects. */
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
			this.#listener.onGone();
		}
	}

	push(bytes: Uint8Array): void {
		this.#queue.push(bytes);
	}

	/** The sentence ends behind the bytes that were pushed. */
	endSentence(): void {
		this.#queue.mark();
	}

	finish(): void {
		this.#queue.end();
	}

	cancel(): void {
		this.#end(() => {});
	}

	get finalsOwed(): number {
		return this.#over ? 0 : this.#session.finalsOwed;
	}

	get speaking(): boolean {
		return !this.#over && this.#session.hasOpenSegment;
	}

	nextDecode(urgency: Urgency): Decode | undefined {
		if (this.#over) return undefined;
		// bytes that wait here may hold the end of the pause
		const wanted = this.#queue.starved ? urgency : "final";
		return this.#session.nextDecode(wanted);
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
		assert(this.#reader, "nothing is heard before the reader is there");
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
				this.#queue.discard(); // first: a decoder may be waiting for bytes
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

	/** Once: everything still at work for it stops. */
	#end(report: () => void): void {
		if (this.#over || this.#session.completed) return;
		report();
		this.#abort.abort();
		this.#queue.discard();
		this.#wakePump?.();
	}
}

/** Kana readings exist in Japanese alone. */
function readsAloud({ spoken, language }: RecognitionOptions): boolean {
	return spoken === true && isJapanese(language);
}
