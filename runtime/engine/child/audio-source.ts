/**
 * Converts the bytes of one recognition to samples: raw PCM and WAV here, other containers through the decoder port.
 * A mark between bytes is returned between samples: at the exact place in raw PCM and WAV; in other containers once the decoder has returned what it can of the
 * bytes before it, or has got bytes after it.
 */
import type { Container, ContainerDecoder } from "../../audio/decoder-port.js";
import { AudioIntake } from "../../audio/intake.js";
import { CodedError } from "../../errors.js";
import type { RecognitionOptions } from "../../session/options.js";
import { type ByteQueue, sentenceEnd } from "./byte-queue.js";

/** Samples, or the mark for the end of a sentence. */
export type SamplesOrMark = Float32Array | typeof sentenceEnd;

/** @returns mono, 16 kHz, gain applied. Stopping early ends the decoding. @throws CodedError 200004, 200005, 200006, 200007 */
export async function* samplesOf(
	queue: ByteQueue,
	options: RecognitionOptions,
	decoder: ContainerDecoder,
	signal: AbortSignal,
): AsyncGenerator<SamplesOrMark> {
	const { durationSecondsMax, completeAtDuration, streamed = false } = options;
	const intake = new AudioIntake({
		...options,
		durationSecondsMax: completeAtDuration
			? Number.POSITIVE_INFINITY // the session enforces the limit
			: durationSecondsMax,
	});
	async function* decoded(container: Container): AsyncGenerator<SamplesOrMark> {
		if (streamed && container === "mp4")
			throw new CodedError(
				"200006",
				"audio is mp4, which can't be decoded while it arrives: send it over HTTP",
			);
		const marks = new PendingMarks();
		const bytes = allOf(intake, queue, marks);
		const decode = { container, durationSecondsMax, streamed, signal };
		const chunks = decoder.decodeBytes(bytes, decode)[Symbol.asyncIterator]();
		try {
			for (let next = chunks.next(); ; ) {
				const chunk = await marks.orIdle(next);
				if (marks.take(chunk === "idle")) yield sentenceEnd;
				if (chunk === "idle") continue;
				if (chunk.done) return;
				yield intake.acceptDecoded(chunk.value);
				next = chunks.next();
			}
		} finally {
			await chunks.return?.();
		}
	}
	try {
		while (!intake.needsDecoder) {
			const bytes = await queue.take();
			if (!bytes) break;
			yield bytes === sentenceEnd ? bytes : await intake.accept(bytes);
		}
		if (intake.needsDecoder) yield* decoded(intake.needsDecoder);
		yield await intake.finish();
		// the format may become clear only at the end
		if (!intake.needsDecoder) return;
		yield* decoded(intake.needsDecoder);
		yield await intake.finish();
	} finally {
		intake.close();
	}
}

/** Longer than a decoder that has begun takes to return the samples of bytes that it has. */
const idleMs = 500;

/** Marks that the decoder's bytes have reached and its samples have not. */
class PendingMarks {
	#reached = 0;
	/** Of those, the ones with bytes after them. */
	#passed = 0;
	/** The decoder has returned samples. */
	#hasBegun = false;
	#onReached: (() => void) | undefined;

	/** All bytes before the mark were given to the decoder. */
	reach(): void {
		this.#reached++;
		this.#onReached?.();
	}

	/** Bytes after all marks so far are given to the decoder. */
	pass(): void {
		this.#passed = this.#reached;
	}

	/** Whether a mark comes before these samples, or before nothing for a while. The samples may be of bytes after it. */
	take(isIdle: boolean): boolean {
		const taken = isIdle ? this.#reached : this.#passed;
		this.#reached -= taken;
		this.#passed = 0;
		return taken > 0;
	}

	/** Resolves to "idle" if nothing comes for a while once a mark is reached. The first samples are waited for: a decoder takes a moment to start. */
	async orIdle<T>(next: Promise<T>): Promise<T | "idle"> {
		if (!this.#hasBegun) {
			const first = await next;
			this.#hasBegun = true;
			return first;
		}
		let timer: NodeJS.Timeout | undefined;
		const idle = new Promise<"idle">((resolve) => {
			const wait = () => {
				timer ??= setTimeout(() => resolve("idle"), idleMs);
			};
			if (this.#reached > 0) wait();
			else this.#onReached = wait;
		});
		try {
			return await Promise.race([next, idle]);
		} finally {
			clearTimeout(timer);
			this.#onReached = undefined;
		}
	}
}

async function* allOf(
	intake: AudioIntake,
	queue: ByteQueue,
	marks: PendingMarks,
): AsyncGenerator<Uint8Array> {
	const held = intake.takeHeld();
	if (held.length > 0) yield held;
	for (;;) {
		const bytes = await queue.take();
		if (!bytes) return;
		if (bytes === sentenceEnd) {
			marks.reach();
		} else {
			marks.pass();
			yield bytes;
		}
	}
}
