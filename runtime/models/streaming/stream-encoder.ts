/** A streaming encoder as a segment uses it: chunks of features in, frames out, and a state that each run passes to the next. */
import type { TensorData, TensorType } from "../inference-port.js";

export interface ChunkShape {
	/** Feature frames per chunk, and the hop between chunks. */
	readonly chunkFrames: number;
	readonly hopFrames: number;
	readonly mels: number;
}

export interface StateTensor {
	readonly name: string;
	readonly type: TensorType;
	readonly dims: readonly number[];
	readonly data: TensorData;
}

/** Immutable: several chunks may follow the same one. */
export interface EncoderState {
	readonly tensors: readonly StateTensor[];
	/** Memory of the float tensors; undefined for the initial state. */
	readonly floats: Float32Array | undefined;
}

export interface EncodedChunk {
	/** [count, width] */
	readonly frames: Float32Array;
	readonly count: number;
	readonly width: number;
	/** When each frame was said, in seconds from the segment's start; absent where they are evenly spaced. */
	readonly seconds?: readonly number[];
	readonly next: EncoderState;
}

export interface StreamEncoder {
	readonly shape: ChunkShape;
	readonly initial: EncoderState;
	/** Whether a run may take several chunks. */
	readonly takesMany: boolean;
	/**
	 * @param chunk [chunkFrames, mels], or of several chunks where the graph takes them: each further one has hopFrames more
	 * @throws ModelFault when the output is not finite
	 */
	encode(chunk: Float32Array, state: EncoderState): Promise<EncodedChunk>;
	/** The state will not be used again: its memory may be. */
	release(state: EncoderState): void;
}
