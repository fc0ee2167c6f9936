/**
 * The sound that was not answered yet: what a new recognition hears first when the one before died, so that nothing is lost in between. While nobody
 * speaks it is the last seconds, while nobody listens the last half second.
 *
 * Counted in samples since the microphone started; pure.
 */
import { sampleRateHz } from "../audio/sample-rate.js";

const bytesPerSample = 2;
/** While nobody listens: a word's begin that came before its key. */
const closedSamples = sampleRateHz / 2;
/** Before a begin is told, something was heard that might be one. */
const doubtSamples = 1.5 * sampleRateHz;
/** While nobody speaks. */
const silentSamples = 3 * sampleRateHz;
/** A sentence of 28 s and what is said while an engine loads. */
const samplesMax = 40 * sampleRateHz;

interface Piece {
	readonly startSample: number;
	readonly bytes: Uint8Array;
}

export class KeptSound {
	#pieces: Piece[] = [];
	#endSample = 0;
	#lostSamples = 0;

	/** One past the last sample. */
	get endSample(): number {
		return this.#endSample;
	}

	/** The oldest that is kept. */
	get startSample(): number {
		return this.#pieces[0]?.startSample ?? this.#endSample;
	}

	/** Dropped unanswered, because too much was kept. */
	get lostSamples(): number {
		return this.#lostSamples;
	}

	/** What is kept from the beginning of a piece on: whole pieces, until there are as many samples; fewer where there is no more. */
	soundAt(sample: number, samplesMin: number): Uint8Array {
		let at = this.#pieces.length;
		while (at > 0 && (this.#pieces[at - 1] as Piece).startSample >= sample)
			at--;
		const pieces: Uint8Array[] = [];
		for (let bytes = 0; bytes < samplesMin * bytesPerSample; at++) {
			const piece = this.#pieces[at];
			if (!piece) break;
			pieces.push(piece.bytes);
			bytes += piece.bytes.length;
		}
		return pieces.length === 1
			? (pieces[0] as Uint8Array)
			: Buffer.concat(pieces);
	}

	push(bytes: Uint8Array): void {
		this.#pieces.push({ startSample: this.#endSample, bytes });
		this.#endSample += bytes.length / bytesPerSample;
		const before = this.startSample;
		this.#dropBefore(this.#endSample - samplesMax);
		this.#lostSamples += this.startSample - before;
	}

	/** Everything until here was answered. */
	answered(sample: number): void {
		this.#dropBefore(sample);
	}

	/** Nobody speaks, as far as was heard. @param heardSample until where that is. */
	silent(heardSample: number): void {
		this.#dropBefore(
			Math.min(heardSample - doubtSamples, this.#endSample - silentSamples),
		);
	}

	/** Nobody listens. */
	unheard(): void {
		this.#dropBefore(this.#endSample - closedSamples);
	}

	/** Only whole pieces go, so a little more than asked for stays. */
	#dropBefore(sample: number): void {
		let drop = 0;
		while (drop < this.#pieces.length && this.#endOf(drop) <= sample) drop++;
		if (drop > 0) this.#pieces.splice(0, drop);
	}

	#endOf(at: number): number {
		return this.#pieces[at + 1]?.startSample ?? this.#endSample;
	}
}
