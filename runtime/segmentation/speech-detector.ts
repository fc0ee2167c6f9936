/**
 * The interface of a voice activity model: the probability of speech in each window. A detector belongs to one stream and keeps its state.
 */

/** Samples of a window: 32 ms at 16 kHz. */
export const windowSamples = 512;

export interface SpeechDetector {
	/** Samples of one window at 16 kHz. */
	readonly windowSamples: number;
	/** A detector that starts later in a stream gives the same results as for the whole, if it starts at a multiple of this and early enough before. */
	readonly strideWindows: number;
	/**
	 * @param windows a whole number of windows, in the order of the stream.
	 * @returns probabilities, 0 to 1, in order: of these windows, or, if the detector looks ahead, of those that are decided by now.
	 */
	accept(windows: Float32Array): Promise<Float32Array>;
	/** Ends the stream. @returns the remaining probabilities. */
	finish(): Promise<Float32Array>;
	/** Resets the state for a new stream. */
	reset(): void;
}
