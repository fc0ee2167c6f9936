/**
 * Preprocesses the detector's input: removes DC offset, and amplifies quiet speech to the level that the model was trained at. Only the detector gets the
 * processed samples; recognition gets the original ones.
 *
 * Measured (22 clips, share of the clean clip's speech windows that are detected): 30 dB quieter 90 % -> 98 %, 40 dB quieter 48 % -> 93 %,
 * a DC offset of half scale 90 % -> 99.6 %; clean clips and noises unchanged. With a steeper high-pass (80 Hz) street noise is taken for speech,
 * and with a gain of 30 dB the murmur of an empty room at -70 dBFS is.
 *
 * Speech 40 dB below speech that ended 0.3, 0.6 and 1.5 s before (86 clips after others at -20 dBFS): 86, 89 and 94 % of its windows are detected; with a
 * level decay of 3 dB per second, 37, 39 and 48 %. Murmur of 10 s between loud speech, at -70 to -40 dBFS: 2 false segments in 60, both in one street's
 * noise; at 3 dB per second none, at 20 dB per second 2 as well.
 */

import { sampleRateHz } from "../../audio/sample-rate.js";
import { windowSamples } from "../../segmentation/speech-detector.js";

/** One-pole DC blocker at 16 kHz: 5 Hz. */
const blockerPole = 0.998;

/** The level follows louder windows immediately and decays at this rate: 12 dB per second. */
const levelFallDbPerWindow = (12 * windowSamples) / sampleRateHz;
const levelStartDbfs = -40;
/** Quieter streams are amplified to this level, by at most `gainDbMax`. */
const levelTargetDbfs = -30;
const gainDbMax = 20;

export class DetectorFrontEnd {
	#lastIn: number | undefined;
	#lastOut = 0;
	#levelDbfs = levelStartDbfs;

	/**
	 * @param window 512 samples; changed in place: DC offset removed, not amplified.
	 * @returns the factor to amplify it by.
	 */
	process(window: Float32Array): number {
		let lastIn = this.#lastIn ?? (window[0] as number);
		let lastOut = this.#lastOut;
		let energy = 0;
		for (let i = 0; i < window.length; i++) {
			const sample = window[i] as number;
			lastOut = sample - lastIn + blockerPole * lastOut;
			if (lastOut < 1e-20 && lastOut > -1e-20) lastOut = 0; // a decaying tail would become denormal
			lastIn = sample;
			window[i] = lastOut;
			energy += lastOut * lastOut;
		}
		this.#lastIn = lastIn;
		this.#lastOut = lastOut;
		return this.#follow(10 * Math.log10(energy / window.length + 1e-12));
	}

	reset(): void {
		this.#lastIn = undefined;
		this.#lastOut = 0;
		this.#levelDbfs = levelStartDbfs;
	}

	#follow(windowDbfs: number): number {
		const fallen = this.#levelDbfs - levelFallDbPerWindow;
		this.#levelDbfs = Math.max(fallen, windowDbfs);
		const gainDb = levelTargetDbfs - this.#levelDbfs;
		return 10 ** (Math.min(gainDbMax, Math.max(0, gainDb)) / 20);
	}
}
