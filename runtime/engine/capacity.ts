/**
 * How many recognitions a device can hold at once: the seconds of speech that it recognizes per second, less a reserve. Measured while it works, so a
 * slower device, a bigger model or other load lowers the number. Pure: reports go in, a number comes out.
 *
 * What was measured beside other load says nothing of a device that is quiet again: after half a minute without work to speak of, the best that was measured
 * counts, until new work is measured.
 *
 * Only work that is owed or soon will be is counted (finals, and speculative finals at a pause); partials use what is left over. Speakers pause now and
 * then, which is a second reserve. Until enough was decoded, the configured number is used, and up to twice as many once a fast device has shown what it is.
 */
import type { EngineLoad } from "./protocol.js";

type Work = Pick<EngineLoad, "audioSeconds" | "decodeSeconds">;

/** Of the recognizer's time. */
const reserve = 0.1;
/** Less decoding than this gives no reliable measurement: about ten sentences on a slow device, forty on a fast one. */
const decodeSecondsMin = 10;
/** After ten sentences or so a fast device is known as such: it need not refuse anybody until it has decoded for ten seconds. */
const audioSecondsMin = 40;
const earlyTimesMax = 2;
/** Work done this long ago, in seconds of decoding, counts half. */
const halfLifeSeconds = 120;

/** Less than a quarter of the time at work: the device is quiet. */
const quietShare = 0.25;
/** Reports come every few seconds; with them it is a minute at most. */
const quietSecondsMin = 30;

const nothing: Work = { audioSeconds: 0, decodeSeconds: 0 };

export class Capacity {
	readonly #slotsAtFirst: number;
	readonly #slotsMin: number;
	#last = nothing;
	#lastSeconds: number | undefined;
	/** Also of the engine before, until new work outweighs it. */
	#recent = nothing;
	/** Of this engine alone. */
	#own = nothing;
	#quietSeconds = 0;
	/** The most that was measured since the engine was started. */
	#best: number | undefined;

	/** @param slotsMin lower bound: no measurement closes the lane. */
	constructor(slotsAtFirst: number, slotsMin: number) {
		this.#slotsAtFirst = slotsAtFirst;
		this.#slotsMin = slotsMin;
	}

	/**
	 * @param load the engine's newest report, the same object until the next one; undefined before the first.
	 * @param nowSeconds of a clock that is never set.
	 */
	slots(load: Work | undefined, nowSeconds: number): number {
		// asked more often than reports come: what the last one says is not new
		if (load && load !== this.#last) this.#addReport(load, nowSeconds);
		const { audioSeconds, decodeSeconds } = this.#recent;
		const held = heldBy(this.#recent);
		if (decodeSeconds < decodeSecondsMin)
			return audioSeconds < audioSecondsMin
				? this.#slotsAtFirst
				: this.#early(held);
		const measured = Math.max(this.#slotsMin, held);
		if (this.#quietSeconds >= quietSecondsMin)
			return Math.max(measured, this.#best ?? this.#slotsAtFirst);
		this.#noteBest();
		return measured;
	}

	/** By the engine's own work alone. */
	#noteBest(): void {
		if (this.#own.decodeSeconds < decodeSecondsMin) return;
		const held = heldBy(this.#own);
		if (held >= (this.#best ?? this.#slotsAtFirst)) this.#best = held;
	}

	#early(held: number): number {
		const atFirst = this.#slotsAtFirst;
		return Math.min(earlyTimesMax * atFirst, Math.max(atFirst, held));
	}

	#addReport(load: Work, nowSeconds: number): void {
		const isNew = load.decodeSeconds < this.#last.decodeSeconds;
		if (isNew) {
			this.#best = undefined;
			this.#own = nothing;
			this.#recent = outdated(this.#recent);
		}
		const since = isNew ? nothing : this.#last; // a new engine starts from zero
		const decodeSeconds = load.decodeSeconds - since.decodeSeconds;
		const audioSeconds = load.audioSeconds - since.audioSeconds;
		const passed = nowSeconds - (this.#lastSeconds ?? nowSeconds);
		this.#last = load;
		this.#lastSeconds = nowSeconds;
		this.#quietSeconds =
			decodeSeconds > quietShare * passed ? 0 : this.#quietSeconds + passed;
		const kept = 0.5 ** (decodeSeconds / halfLifeSeconds);
		const withNew = (before: Work) => ({
			audioSeconds: before.audioSeconds * kept + audioSeconds,
			decodeSeconds: before.decodeSeconds * kept + decodeSeconds,
		});
		this.#recent = withNew(this.#recent);
		this.#own = withNew(this.#own);
	}
}

/** Recognitions at once that this work shows to be possible. */
function heldBy({ audioSeconds, decodeSeconds }: Work): number {
	return Math.floor((audioSeconds / decodeSeconds) * (1 - reserve));
}

/** Measured with another engine, which may have had another model or processor: it counts as the least that is a measurement, so that new work soon outweighs it. */
function outdated({ audioSeconds, decodeSeconds }: Work): Work {
	const counted = Math.min(decodeSeconds, decodeSecondsMin);
	return {
		audioSeconds: counted && audioSeconds * (counted / decodeSeconds),
		decodeSeconds: counted,
	};
}
