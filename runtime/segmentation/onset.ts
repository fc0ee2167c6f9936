/**
 * Is it speech that begins? Windows of silence go in until enough of them together are sure: one loud window is a knock, three sure ones are a word.
 */

import type { EndpointRules } from "./rules.js";
import { windowSamples } from "./speech-detector.js";

export interface FoundSpeech {
	/** First sample of the window in which it began. */
	readonly onsetSample: number;
	/** One past the last sample that was speech. */
	readonly speechEndSample: number;
}

/** Something that may be speech. */
export type PossibleSpeech = FoundSpeech & {
	/** What the windows' probabilities have over the onset's, summed. */
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
	/** Something began; whether it is speech is not sure yet. */
	#possible: PossibleSpeech | undefined;

	constructor(rules: OnsetRules) {
		this.#rules = rules;
	}

	/** What may be speech now. */
	get possible(): PossibleSpeech | undefined {
		return this.#possible;
	}

	/** @param endSample one past the window's last sample. @returns speech, when it is sure. */
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

	/** Noise may be nearly speech for hours; all of it would be kept, and stand before the next word. */
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
