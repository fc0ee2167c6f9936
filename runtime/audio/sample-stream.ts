/**
 * Bytes of any format to samples, as one stream: the intake, with the external decoder put in where the bytes call for it.
 */
import { abortable } from "./abortable.js";
import type { ContainerDecoder } from "./decoder-port.js";
import type { AudioIntake } from "./intake.js";

export interface SampleStreamOptions {
	readonly durationSecondsMax: number;
	readonly signal?: AbortSignal;
}

/**
 * @param intake fresh; closed at the end, however that comes.
 * @param bytes cut anywhere; not read further than the audio's limit.
 * @returns chunks of samples, mono, 16 kHz; none is empty.
 */
export async function* streamSamples(
	bytes: AsyncIterable<Uint8Array>,
	intake: AudioIntake,
	decoder: ContainerDecoder,
	options: SampleStreamOptions,
): AsyncGenerator<Float32Array, void, void> {
	const source = abortable(bytes, options.signal);
	try {
		while (!intake.needsDecoder) {
			const next = await source.next();
			if (next.done) break;
			const samples = intake.accept(next.value);
			if (samples.length > 0) yield samples;
		}
		// the end may tell what the beginning could not
		const last = intake.needsDecoder ? undefined : intake.finish();
		if (last && last.length > 0) yield last;
		const container = intake.needsDecoder;
		if (!container) return;
		const rest = prepend(intake.takeHeld(), source);
		const decodeOptions = { ...options, container };
		for await (const chunk of decoder.decodeBytes(rest, decodeOptions)) {
			const samples = intake.acceptDecoded(chunk);
			if (samples.length > 0) yield samples;
		}
		intake.finish();
	} finally {
		intake.close();
		// not awaited: it queues behind a read that waits for the client
		source.return().catch(() => {});
	}
}

async function* prepend(
	head: Uint8Array,
	source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
	yield head;
	yield* source;
}
