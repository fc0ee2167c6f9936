/**
 * How many recognitions a device can hold at once: as many as it recognises seconds of speech in a second, less a reserve. Measured while it works, so a
 * slower device, a bigger model or a busy neighbour makes it fewer by itself. Pure: reports go in, a number comes out.
 *
 * Counted is the work that is owed or soon will be (finals, and guesses at a pause); partials take what is left over. Somebody who speaks pauses now and
 * then, which is a second reserve. Until enough was decoded the number is the one given.
 */
import type { EngineLoad } from "./protocol.js";

type Work = Pick<EngineLoad, "audioSeconds" | "decodeSeconds">;

/** Of the recognizer's time. */
const reserve = 0.1;
/** Less decoding than this says nothing. */
const decodeSecondsMin = 30;
/** Work so long ago, in seconds of decoding, counts half. */
const halfLifeSeconds = 120;

const nothing: Work = { audioSeconds: 0, decodeSeconds: 0 };

export class Capacity {
	readonly #slotsAtFirst: number;
	readonly #slotsMin: number;
	#last = nothing;
	#recent = nothing;

	/** @param slotsMin never fewer: a report must not shut the door. */
	constructor(slotsAtFirst: number, slotsMin: number) {
		this.#slotsAtFirst = slotsAtFirst;
		this.#slotsMin = slotsMin;
	}

	/** @param load the engine's newest report; undefined while there is none. */
	slots(load: Work | undefined): number {
		if (load) this.#addReport(load);
		const { audioSeconds, decodeSeconds } = this.#recent;
		if (decodeSeconds < decodeSecondsMin) return this.#slotsAtFirst;
		const held = Math.floor((audioSeconds / decodeSeconds) * (1 - reserve));
		return Math.max(this.#slotsMin, held);
	}

	#addReport(load: Work): void {
		// a new engine counts from zero
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
