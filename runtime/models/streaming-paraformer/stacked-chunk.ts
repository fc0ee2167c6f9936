/**
 * The encoder's input for one chunk of features: neighbouring frames are stacked into one at a lower rate, normalised, and given their places in the segment
 * (sinusoids); the stacks of the chunk before are repeated, since the graph has no state.
 */
import type { StreamingParaformerShape } from "./shape.js";

/** Stacks of a chunk whose tokens are decoded, as the models were trained; around them the graph sees these. */
export const chunkStacks = 10;
export const stacksBefore = 5;
export const stacksAfter = 3;
/** Stacks of the chunk before that are repeated. */
export const repeatedStacks = stacksBefore + stacksAfter;

const longestWave = 10_000;

export class ChunkStacker {
	readonly #shape: StreamingParaformerShape;
	readonly #mels: number;
	/** Values of a stack. */
	readonly width: number;
	readonly #factors: Float32Array;
	/** Frequencies of the sinusoids. */
	readonly #frequencies: Float32Array;

	constructor(shape: StreamingParaformerShape, mels: number) {
		const { windowFrames, width, inverseDeviation } = shape;
		this.#shape = shape;
		this.#mels = mels;
		this.width = windowFrames * mels;
		// the encoder's first step, which the exporters leave to the features
		const scale = Math.sqrt(width);
		this.#factors = Float32Array.from(inverseDeviation, (it) => it * scale);
		const half = this.width / 2;
		const step = -Math.log(longestWave) / (half - 1);
		this.#frequencies = Float32Array.from({ length: half }, (_, i) =>
			Math.exp(i * step),
		);
	}

	/**
	 * @param frames [chunkFrames, mels] @param first number of stacks before these, from the segment's start.
	 * @param repeated the last stacks of the chunk before: [repeatedStacks, width]. @returns [repeatedStacks + chunkStacks, width]
	 */
	stacksOf(
		frames: Float32Array,
		first: number,
		repeated: Float32Array,
	): Float32Array {
		const { width } = this;
		const { hopFrames, negativeMean } = this.#shape;
		const half = width / 2;
		const stacks = new Float32Array((repeatedStacks + chunkStacks) * width);
		stacks.set(repeated);
		for (let i = 0; i < chunkStacks; i++) {
			const from = i * hopFrames * this.#mels;
			const to = (repeatedStacks + i) * width;
			const place = first + i + 1;
			for (let k = 0; k < width; k++) {
				const normalized =
					((frames[from + k] as number) + (negativeMean[k] as number)) *
					(this.#factors[k] as number);
				const frequency = this.#frequencies[k < half ? k : k - half] as number;
				// single precision, as the original: far into a segment it matters
				const angle = Math.fround(place * frequency);
				stacks[to + k] =
					normalized + (k < half ? Math.sin(angle) : Math.cos(angle));
			}
		}
		return stacks;
	}
}
