/**
 * A request in which nothing was surely speech: what came nearest to it. Beside other speech a doubtful sound is a knock; where somebody asked about nothing
 * else it may be the one short word that was said, and the recognizer decides.
 */
import type { Segment } from "./events.js";
import type { PossibleSpeech } from "./onset.js";

export class LoneSound {
	readonly #evidenceMin: number;
	#likeliest: PossibleSpeech | undefined;
	#segment: Segment | undefined;

	/** @param evidenceMin less is nothing: see EndpointRules.evidenceMin. */
	constructor(evidenceMin: number) {
		this.#evidenceMin = evidenceMin;
	}

	/** @param segmentOf called at once where it may be needed: what it is made of is forgotten soon. */
	consider(doubt: PossibleSpeech, segmentOf: () => Segment): void {
		if (doubt.evidence < this.#evidenceMin) return;
		const goesOn = this.#likeliest?.onsetSample === doubt.onsetSample;
		if (!goesOn && doubt.evidence <= (this.#likeliest?.evidence ?? 0)) return;
		this.#likeliest = doubt;
		this.#segment = segmentOf();
	}

	get segment(): Segment | undefined {
		return this.#segment;
	}
}
