/** Spectrum of a segment, computed before a model runs: whether the segment can be speech, and later where its words lie. */
import type { FilterbankPort } from "../../features/filterbank-port.js";
import { LogMel } from "../../features/log-mel.js";
import { frameLevels, whyNotSpeech } from "../../features/sound.js";

export const spectrumMels = 80;

export interface SegmentSpectrum {
	/** The reason if it cannot be speech. */
	readonly silent: ReturnType<typeof whyNotSpeech>;
	/** log10 mel power, [frames, 80] */
	readonly logMel: Float32Array;
}

export class SegmentAnalyzer {
	readonly #logMel: LogMel;

	constructor(port: FilterbankPort | undefined) {
		this.#logMel = new LogMel(spectrumMels, port);
	}

	/** @param samples 16 kHz, [-1, 1], the whole segment. */
	spectrumOf(samples: Float32Array): SegmentSpectrum {
		this.#logMel.reset();
		this.#logMel.accept(samples);
		this.#logMel.finish();
		const logMel = this.#logMel.take();
		return { silent: whyNotSpeech(frameLevels(logMel, spectrumMels)), logMel };
	}
}
