/** What all forms of Moonshine have in common (Jeffries et al. 2024, "Moonshine: Speech Recognition for Live Transcription and Voice Commands"). */
import { sampleRateHz } from "../../audio/sample-rate.js";
import { tokensMaxOf } from "../offline/encoder-decoder.js";

/** Tokens of its tokenizer. */
export const startOfText = 1;
export const endOfText = 2;
/** Samples of a frame of its encoder, which reads samples without features: the strides 64, 3 and 2. */
export const samplesPerFrame = 384;
/** Its authors' own limit: shorter audio is not recognized. */
const samplesMin = sampleRateHz / 10;

export function isLongEnough(samples: Float32Array): boolean {
	return samples.length >= samplesMin;
}

/** @param frames of the encoder */
export function textTokensMax(frames: number): number {
	return tokensMaxOf((frames * samplesPerFrame) / sampleRateHz);
}
