/**
 * Detects the onset of speech: accumulates evidence over windows, because one loud window is a knock, while three certain ones are a word.
 */

import type { EndpointRules } from "./rules.js";
import { windowSamples } from "./speech-detector.js";

export interface FoundSpeech {
	/** First sample of the window in which speech began. */
	readonly onsetSample: number;
	/** One past the last sample of speech. */
	readonly speechEndSample: number;
}

/** Something that may be speech. */
export type PossibleSpeech = FoundSpeech & {
	/** Sum of the windows' probabilities above the onset probability. */
	readonly evidence: number;
	readonly silentWindows: number;
};

type OnsetRules = Pick<
	EndpointRules,
	| "onsetProbability"
	| "offsetProbability"
	| "evidenceMin"
	| "doubtWindowsMax"
	| "doubtSpanWindowsMax"
>;

export class Onset {
	readonly #rules: OnsetRules;
	/** A sound that began and is not certainly speech yet. */
	#possible: PossibleSpeech | undefined;

	constructor(rules: OnsetRules) {
		this.#rules = rules;
	}

	/** The current sound, if it may be speech. */
	get possible(): PossibleSpeech | undefined {
		return this.#possible;
	}

	/** @param endSample one past the window's last sample. @returns the speech, once it is certain. */
	accept(probability: number, endSample: number): FoundSpeech | undefined {
		const { onsetProbability, offsetProbability } = this.#rules;
		this.#forgetIfLong(endSample);
		const possible = this.#possible ?? this.#beginning(probability, endSample);
		if (!possible) return undefined;
		if (probability < offsetProbability) {
			this.#acceptSilence(possible);
			return undefined;
		}
		const evidence =
			possible.evidence + Math.max(0, probability - onsetProbability);
		this.#possible = {
			...possible,
			evidence,
			silentWindows: 0,
			speechEndSample: endSample,
		};
		if (evidence < this.#rules.evidenceMin) return undefined;
		const found = this.#possible;
		this.#possible = undefined;
		return found;
	}

	#beginning(
		probability: number,
		endSample: number,
	): PossibleSpeech | undefined {
		if (probability < this.#rules.onsetProbability) return undefined;
		const onsetSample =
			Math.floor((endSample - 1) / windowSamples) * windowSamples;
		return {
			onsetSample,
			speechEndSample: onsetSample,
			evidence: 0,
			silentWindows: 0,
		};
	}

	/** Noise may resemble speech for hours; without this limit all of it would be kept and precede the next word. */
	#forgetIfLong(endSample: number): void {
		if (!this.#possible) return;
		const windows = (endSample - this.#possible.onsetSample) / windowSamples;
		if (windows > this.#rules.doubtSpanWindowsMax) this.#possible = undefined;
	}

	#acceptSilence(possible: PossibleSpeech): void {
		const silentWindows = possible.silentWindows + 1;
		const over = silentWindows >= this.#rules.doubtWindowsMax;
		this.#possible = over ? undefined : { ...possible, silentWindows };
	}
}
