/**
 * What segmentation asks of a voice activity model: how likely each window holds speech. A detector belongs to one stream and remembers it.
 */
export interface SpeechDetector {
	/** Samples of one window at 16 kHz. */
	readonly windowSamples: number;
	/**
	 * @param windows a whole number of windows, in the order of the stream.
	 * @returns Float32Array [windows], each 0 to 1.
	 */
	accept(windows: Float32Array): Promise<Float32Array>;
	/** Forgets the stream. */
	reset(): void;
}
