/**
 * The sample rate after the intake: 16 kHz, one channel. Microphones, files and requests of another rate are resampled first.
 */
export const sampleRateHz = 16_000;

/** Sample rates of raw PCM in requests (docs/interface.md section 2.3). */
export type PcmRateHz = 8000 | typeof sampleRateHz;

/** Rounded to milliseconds: the API's times are integers. */
export function samplesToMs(samples: number): number {
	return Math.round((samples * 1000) / sampleRateHz);
}
