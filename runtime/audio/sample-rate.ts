/**
 * The sample rate after the intake: 16 kHz, one channel. Microphones, files and requests of another rate are resampled first.
 */
export const sampleRateHz = 16_000;

/** Sample rates of audio that is given: what the resampler takes. */
export const rateHzMin = 4000;
export const rateHzMax = 384_000;

/** Rounded to milliseconds: the API's times are integers. */
export function samplesToMs(samples: number): number {
	return Math.round((samples * 1000) / sampleRateHz);
}
