/**
 * What segmentation asks of a voice activity model: how likely each window holds speech. A detector belongs to one stream and remembers it.
 */

/** The window whose probability is asked for: 32 ms at 16 kHz. */
export const windowSamples = 512;

export interface SpeechDetector {
	/** Samples of one window at 16 kHz. */
	readonly windowSamples: number;
	/** A stream that is begun later is answered as the whole, where it is begun a multiple of so many windows later and long enough before. */
	readonly strideWindows: number;
	/**
	 * @param windows a whole number of windows, in the order of the stream.
	 * @returns each 0 to 1, in order: of these windows, or of those that can be told by now where it looks ahead.
	 */
	accept(windows: Float32Array): Promise<Float32Array>;
	/** No more windows come. @returns those that are not answered yet. */
	finish(): Promise<Float32Array>;
	/** Forgets the stream. */
	reset(): void;
}
