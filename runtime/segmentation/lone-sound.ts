/**
 * The likeliest sound of a request without certain speech. Beside other speech a doubtful sound is a knock; where a request contains nothing else, it may
 * be a single short word, and the recognizer decides.
 */
import type { Segment } from "./events.js";
import type { PossibleSpeech } from "./onset.js";

export class LoneSound {
	readonly #evidenceMin: number;
	#likeliest: PossibleSpeech | undefined;
	#segment: Segment | undefined;

	/** @param evidenceMin sounds with less are ignored: see EndpointRules.evidenceMin. */
	constructor(evidenceMin: number) {
		this.#evidenceMin = evidenceMin;
	}

	/** @param segmentOf called immediately if the segment may be needed, because its samples are discarded soon. */
	consider(possible: PossibleSpeech, segmentOf: () => Segment): void {
		if (possible.evidence < this.#evidenceMin) return;
		const isSame = this.#likeliest?.onsetSample === possible.onsetSample;
		if (!isSame && possible.evidence <= (this.#likeliest?.evidence ?? 0))
			return;
		this.#likeliest = possible;
		this.#segment = segmentOf();
	}

	get segment(): Segment | undefined {
		return this.#segment;
	}
}
