/**
 * How many recognitions a device can hold at once: the seconds of speech that it recognizes per second, less a reserve. Measured while it works, so a
 * slower device, a bigger model or other load lowers the number. Pure: reports go in, a number comes out.
 *
 * Only work that is owed or soon will be is counted (finals, and speculative finals at a pause); partials use what is left over. Speakers pause now and
 * then, which is a second reserve. Until enough was decoded, the configured number is used.
 */
import type { EngineLoad } from "./protocol.js";

type Work = Pick<EngineLoad, "audioSeconds" | "decodeSeconds">;

/** Of the recognizer's time. */
const reserve = 0.1;
/** Less decoding than this gives no reliable measurement. */
const decodeSecondsMin = 30;
/** Work done this long ago, in seconds of decoding, counts half. */
const halfLifeSeconds = 120;

const nothing: Work = { audioSeconds: 0, decodeSeconds: 0 };

export class Capacity {
	readonly #slotsAtFirst: number;
	readonly #slotsMin: number;
	#last = nothing;
	#recent = nothing;

	/** @param slotsMin lower bound: no measurement closes the lane. */
	constructor(slotsAtFirst: number, slotsMin: number) {
		this.#slotsAtFirst = slotsAtFirst;
		this.#slotsMin = slotsMin;
	}

	/** @param load the engine's newest report; undefined before the first. */
	slots(load: Work | undefined): number {
		if (load) this.#addReport(load);
		const { audioSeconds, decodeSeconds } = this.#recent;
		if (decodeSeconds < decodeSecondsMin) return this.#slotsAtFirst;
		const held = Math.floor((audioSeconds / decodeSeconds) * (1 - reserve));
		return Math.max(this.#slotsMin, held);
	}

	#addReport(load: Work): void {
		// a new engine starts from zero
		const since =
			load.decodeSeconds < this.#last.decodeSeconds ? nothing : this.#last;
		const decodeSeconds = load.decodeSeconds - since.decodeSeconds;
		const audioSeconds = load.audioSeconds - since.audioSeconds;
		this.#last = load;
		const kept = 0.5 ** (decodeSeconds / halfLifeSeconds);
		this.#recent = {
			audioSeconds: this.#recent.audioSeconds * kept + audioSeconds,
			decodeSeconds: this.#recent.decodeSeconds * kept + decodeSeconds,
		};
	}
}
