/**
 * Is it speech that begins? Windows of silence go in until enough of them together are sure: one loud window is a knock, three sure ones are a word.
 */

import type { EndpointRules } from "./rules.js";
import { windowSamples } from "./speech-detector.js";

export interface Found {
	/** First sample of the window in which it began. */
	readonly onsetSample: number;
	/** One past the last sample that was speech. */
	readonly speechEndSample: number;
}

/** Something that may be speech. */
export type Doubt = Found & {
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
	#doubt: Doubt | undefined;

	constructor(rules: OnsetRules) {
		this.#rules = rules;
	}

	/** What may be speech now. */
	get doubt(): Doubt | undefined {
		return this.#doubt;
	}

	/** @param endSample one past the window's last sample. @returns speech, when it is sure. */
	hear(probability: number, endSample: number): Found | undefined {
		const { onsetProbability, offsetProbability } = this.#rules;
		this.#forgetIfLong(endSample);
		const doubt = this.#doubt ?? this.#beginning(probability, endSample);
		if (!doubt) return undefined;
		if (probability < offsetProbability) {
			this.#hearSilence(doubt);
			return undefined;
		}
		const evidence =
			doubt.evidence + Math.max(0, probability - onsetProbability);
		this.#doubt = {
			...doubt,
			evidence,
			silentWindows: 0,
			speechEndSample: endSample,
		};
		if (evidence < this.#rules.evidenceMin) return undefined;
		const found = this.#doubt;
		this.#doubt = undefined;
		return found;
	}

	#beginning(probability: number, endSample: number): Doubt | undefined {
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
		if (!this.#doubt) return;
		const windows = (endSample - this.#doubt.onsetSample) / windowSamples;
		if (windows > this.#rules.doubtSpanWindowsMax) this.#doubt = undefined;
	}

	#hearSilence(doubt: Doubt): void {
		const silentWindows = doubt.silentWindows + 1;
		const over = silentWindows >= this.#rules.doubtWindowsMax;
		this.#doubt = over ? undefined : { ...doubt, silentWindows };
	}
}
