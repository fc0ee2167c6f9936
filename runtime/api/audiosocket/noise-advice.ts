/**
 * Audio that Asterisk calls 16-bit samples and that is something else: loud from the first moment, and never speech. That is what happens where the channel was
 * dialled without `c(slin)`.
 */
import { decodeFrames } from "../../audio/sample-codec.js";

/** Mean power of speech is lower for most of the time; bytes of mu-law taken for samples are at a quarter of full scale. */
const loudRms = 0.05;
const secondsMin = 5;

export class NoiseAdvice {
	#loudSeconds = 0;
	#isSettled = false;

	/** Speech was found: the audio is what it should be. */
	onSpeech(): void {
		this.#isSettled = true;
	}

	/** @param bytes signed 16-bit. @returns whether it is time to say something; true once. */
	accept(bytes: Uint8Array, rateHz: number): boolean {
		if (this.#isSettled) return false;
		const samples = decodeFrames(bytes, "s16", 1);
		if (samples.length === 0) return false;
		let power = 0;
		for (const sample of samples) power += sample * sample;
		const isLoud = Math.sqrt(power / samples.length) >= loudRms;
		this.#loudSeconds = isLoud
			? this.#loudSeconds + samples.length / rateHz
			: 0;
		this.#isSettled = this.#loudSeconds >= secondsMin;
		return this.#isSettled;
	}
}
