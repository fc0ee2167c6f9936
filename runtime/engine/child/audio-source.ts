/**
 * Converts the bytes of one recognition to samples: raw PCM and WAV here, other containers through the decoder port.
 * A mark between bytes is returned between samples: at the exact place in raw PCM and WAV; in other containers before the samples that the decoder still holds.
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
		let marked = false;
		const bytes = allOf(intake, queue, () => {
			marked = true;
		});
		const decode = { container, durationSecondsMax, streamed, signal };
		for await (const chunk of decoder.decodeBytes(bytes, decode)) {
			if (marked) yield sentenceEnd;
			marked = false;
			yield intake.acceptDecoded(chunk);
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

async function* allOf(
	intake: AudioIntake,
	queue: ByteQueue,
	onMark: () => void,
): AsyncGenerator<Uint8Array> {
	const held = intake.takeHeld();
	if (held.length > 0) yield held;
	for (;;) {
		const bytes = await queue.take();
		if (!bytes) return;
		if (bytes === sentenceEnd) onMark();
		else yield bytes;
	}
}
