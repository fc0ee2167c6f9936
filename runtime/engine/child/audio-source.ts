/**
 * From the bytes of one recognition to its samples, whatever they are: raw PCM and WAV here, other containers through the decoder port.
 */
import type { Container, ContainerDecoder } from "../../audio/decoder-port.js";
import { type AudioIntake, createIntake } from "../../audio/intake.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { ByteQueue } from "./byte-queue.js";

/** @returns mono, 16 kHz, gain applied. Leaving it early ends the decoding. @throws CodedError 200004, 200005, 200006, 200007 */
export async function* samplesOf(
	queue: ByteQueue,
	options: RecognitionOptions,
	decoder: ContainerDecoder,
	signal: AbortSignal,
): AsyncGenerator<Float32Array> {
	const { durationSecondsMax, completeAtDuration } = options;
	const intake = await createIntake({
		...options,
		durationSecondsMax: completeAtDuration
			? Number.POSITIVE_INFINITY // the session counts
			: durationSecondsMax,
	});
	async function* decoded(container: Container) {
		const bytes = allOf(intake, queue);
		const decode = { container, durationSecondsMax, signal };
		for await (const chunk of decoder.decodeBytes(bytes, decode))
			yield intake.acceptDecoded(chunk);
	}
	try {
		while (!intake.needsDecoder) {
			const bytes = await queue.take();
			if (!bytes) break;
			yield intake.accept(bytes);
		}
		if (intake.needsDecoder) yield* decoded(intake.needsDecoder);
		yield intake.finish();
		// only the end told what it was
		if (!intake.needsDecoder) return;
		yield* decoded(intake.needsDecoder);
		yield intake.finish();
	} finally {
		intake.close();
	}
}

async function* allOf(
	intake: AudioIntake,
	queue: ByteQueue,
): AsyncGenerator<Uint8Array> {
	const held = intake.takeHeld();
	if (held.length > 0) yield held;
	for (;;) {
		const bytes = await queue.take();
		if (!bytes) return;
		yield bytes;
	}
}
