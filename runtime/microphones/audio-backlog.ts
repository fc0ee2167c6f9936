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

interface BacklogChunk {
	readonly startSample: number;
	readonly bytes: Uint8Array;
}

export class AudioBacklog {
	#chunks: BacklogChunk[] = [];
	#endSample = 0;
	#lostSamples = 0;

	/** One past the last sample. */
	get endSample(): number {
		return this.#endSample;
	}

	/** The oldest that is kept. */
	get startSample(): number {
		return this.#chunks[0]?.startSample ?? this.#endSample;
	}

	/** Dropped unanswered, because too much was kept. */
	get lostSamples(): number {
		return this.#lostSamples;
	}

	/** What is kept from the beginning of a piece on: whole pieces, until there are as many samples; fewer where there is no more. */
	audioAt(sample: number, samplesMin: number): Uint8Array {
		let at = this.#chunks.length;
		while (
			at > 0 &&
			(this.#chunks[at - 1] as BacklogChunk).startSample >= sample
		)
			at--;
		const chunks: Uint8Array[] = [];
		for (let bytes = 0; bytes < samplesMin * bytesPerSample; at++) {
			const chunk = this.#chunks[at];
			if (!chunk) break;
			chunks.push(chunk.bytes);
			bytes += chunk.bytes.length;
		}
		return chunks.length === 1
			? (chunks[0] as Uint8Array)
			: Buffer.concat(chunks);
	}

	push(bytes: Uint8Array): void {
		this.#chunks.push({ startSample: this.#endSample, bytes });
		this.#endSample += bytes.length / bytesPerSample;
		const before = this.startSample;
		this.#dropBefore(this.#endSample - samplesMax);
		this.#lostSamples += this.startSample - before;
	}

	/** Everything until here was answered. */
	answered(sample: number): void {
		this.#dropBefore(sample);
	}

	/** Nobody speaks, as far as was heard. @param processedSample until where that is. */
	silent(processedSample: number): void {
		this.#dropBefore(
			Math.min(processedSample - doubtSamples, this.#endSample - silentSamples),
		);
	}

	/** Nobody listens. */
	notRecognized(): void {
		this.#dropBefore(this.#endSample - closedSamples);
	}

	/** Only whole pieces go, so a little more than asked for stays. */
	#dropBefore(sample: number): void {
		let drop = 0;
		while (drop < this.#chunks.length && this.#endOf(drop) <= sample) drop++;
		if (drop > 0) this.#chunks.splice(0, drop);
	}

	#endOf(at: number): number {
		return this.#chunks[at + 1]?.startSample ?? this.#endSample;
	}
}
