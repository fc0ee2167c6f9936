/**
 * Two detectors combined: the weighted mean of their probabilities. One of them may look further ahead; the other's probabilities wait for it.
 */
import { concat } from "../audio/concat.js";
import type { SpeechDetector } from "./speech-detector.js";

export class MixedDetector implements SpeechDetector {
	readonly windowSamples: number;
	readonly strideWindows: number;
	readonly #first: SpeechDetector;
	readonly #second: SpeechDetector;
	readonly #secondShare: number;
	#firstAnswers: Float32Array = new Float32Array(0);
	#secondAnswers: Float32Array = new Float32Array(0);

	/**
	 * @param second must have windows of the same length.
	 * @param secondShare its weight in the mean, 0 to 1.
	 */
	constructor(
		first: SpeechDetector,
		second: SpeechDetector,
		secondShare: number,
	) {
		this.windowSamples = first.windowSamples;
		this.strideWindows = first.strideWindows * second.strideWindows;
		this.#first = first;
		this.#second = second;
		this.#secondShare = secondShare;
	}

	async accept(windows: Float32Array): Promise<Float32Array> {
		return this.#mean(
			await this.#first.accept(windows),
			await this.#second.accept(windows),
		);
	}

	async finish(): Promise<Float32Array> {
		return this.#mean(await this.#first.finish(), await this.#second.finish());
	}

	reset(): void {
		this.#first.reset();
		this.#second.reset();
		this.#firstAnswers = new Float32Array(0);
		this.#secondAnswers = new Float32Array(0);
	}

	/** @returns the mean for the windows that both detectors have processed. */
	#mean(first: Float32Array, second: Float32Array): Float32Array {
		const ours = concat(this.#firstAnswers, first);
		const theirs = concat(this.#secondAnswers, second);
		const count = Math.min(ours.length, theirs.length);
		this.#firstAnswers = ours.slice(count);
		this.#secondAnswers = theirs.slice(count);
		const share = this.#secondShare;
		return ours
			.subarray(0, count)
			.map((it, i) => (1 - share) * it + share * (theirs[i] as number));
	}
}
