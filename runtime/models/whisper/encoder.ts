/**
 * Whisper's encoder at run time: a segment's samples in, the decoder's cross-attention tensors out. The context is fitted to the segment, because
 * the graph's cost grows with it: a 5 s clip should not cost as much as 30 s.
 */
import { hopSamples, hopsPerSecond } from "../../features/filterbank-port.js";
import { LogMel, whisperWindow } from "../../features/log-mel.js";
import type { InferencePort, InferenceSession } from "../inference-port.js";
import type { EncodedSegment } from "./encoded-segment.js";
import { encoderNames, layerName } from "./graphs.js";
import { RecentEncodings, type Sound } from "./recent-encodings.js";
import type { WhisperShape } from "./shape.js";

export const contextSecondsMax = 30;
const contextSecondsMin = 10;
/** An open segment no longer than this gets a shorter context: its first words are urgent, and will soon be decoded again. */
const firstWordsSecondsMax = 3;
const contextSecondsOfFirstWords = 6;
/** Silence after the segment, from which the decoder recognizes the end. */
const marginSeconds = 3;
/** Contexts are multiples of this above the minimum, so that the graph runs with few different shapes. */
const contextStepSeconds = 2;
const sharedContextStepSeconds = 4;

export class WhisperEncoder {
	readonly #port: InferencePort;
	readonly #session: InferenceSession;
	readonly #shape: WhisperShape;
	readonly #outputs: readonly string[];
	readonly #logMel: LogMel;
	readonly #recent = new RecentEncodings();

	constructor(
		port: InferencePort,
		session: InferenceSession,
		shape: WhisperShape,
	) {
		this.#port = port;
		this.#session = session;
		this.#shape = shape;
		this.#logMel = new LogMel(shape.mels, port.filterbank);
		const layers = [...Array(shape.decoderLayers).keys()];
		this.#outputs = layers.flatMap((layer) => [
			layerName("cross_k", layer),
			layerName("cross_v", layer),
		]);
	}

	/** Log10 mel power of the samples and a little silence after them: [frames, mels]. */
	features(samples: Float32Array): Float32Array {
		const logMel = this.#logMel;
		logMel.reset();
		logMel.accept(samples);
		// The last window reaches into the silence. Frames of silence only are not computed here: whisperWindow fills them in.
		logMel.accept(new Float32Array(4 * hopSamples));
		logMel.finish();
		return logMel.take();
	}

	/**
	 * @param sound a segment; its features do not change.
	 * @param contextSeconds length of the encoder's input: the segment and silence after it.
	 */
	encode(sound: Sound, contextSeconds: number): Promise<EncodedSegment> {
		return this.#recent.get(sound, contextSeconds, () =>
			this.#encode(sound.features, contextSeconds),
		);
	}

	/** Before the graph is closed. */
	forget(): void {
		this.#recent.clear();
	}

	async #encode(
		features: Float32Array,
		contextSeconds: number,
	): Promise<EncodedSegment> {
		const { mels } = this.#shape;
		const frames = contextSeconds * hopsPerSecond;
		const window = whisperWindow(features, mels, frames);
		const mel = this.#port.tensor("float32", window, [1, mels, frames]);
		const cross = await this.#session.run(
			{ [encoderNames.mel]: mel },
			this.#outputs,
		);
		return {
			cross,
			positions: frames / 2,
			dispose: () => {
				for (const name of this.#outputs) cross[name]?.dispose();
			},
		};
	}
}

/**
 * Context of a segment in a batch whose decoder needs equal contexts: in coarser steps than `contextFor`, so that more segments share one. It depends only
 * on the segment, not on the rest of the batch.
 */
export function sharedContextFor(segmentSeconds: number): number {
	return fitted(segmentSeconds, sharedContextStepSeconds);
}

/** Context of a second attempt, of a segment alone as of one in a batch. The maximum would cost up to three times as much and find nothing more. */
export function secondContextFor(firstContextSeconds: number): number {
	return Math.min(contextSecondsMax, 2 * firstContextSeconds);
}

/**
 * Context for a segment: the segment and a margin, at least 10 s (with less, one-word clips repeat), at most 30 s.
 * @param open whether the segment may still grow.
 */
export function contextFor(segmentSeconds: number, open: boolean): number {
	if (open && segmentSeconds <= firstWordsSecondsMax)
		return contextSecondsOfFirstWords;
	return fitted(segmentSeconds, contextStepSeconds);
}

function fitted(segmentSeconds: number, stepSeconds: number): number {
	const more = segmentSeconds + marginSeconds - contextSecondsMin;
	const wanted =
		contextSecondsMin + Math.ceil(more / stepSeconds) * stepSeconds;
	return Math.min(contextSecondsMax, Math.max(contextSecondsMin, wanted));
}
