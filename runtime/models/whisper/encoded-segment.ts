/** A segment as the encoder leaves it. */
import type { Tensor } from "../inference-port.js";

/** What the decoder attends to. */
export interface EncodedSegment {
	/** `cross_k_i`, `cross_v_i` by name. */
	readonly cross: Readonly<Record<string, Tensor>>;
	/** Encoder positions, 20 ms each. */
	readonly positions: number;
	dispose(): void;
}
