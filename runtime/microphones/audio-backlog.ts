/**
 * Audio without a final yet. A new recognition gets it first after the one before died, so that nothing is lost in between. During silence
 * it is the last seconds, while the microphone is closed the last half second.
 *
 * Counted in samples since the microphone started; pure.
 */
import { sampleRateHz } from "../audio/sample-rate.js";

const bytesPerSample = 2;
/** While the microphone is closed: the start of a word spoken before the talk key is pressed. */
const closedSamples = sampleRateHz / 2;
/** Audio before a speech-begin event that may belong to the speech. */
const doubtSamples = 1.5 * sampleRateHz;
/** During silence. */
const silentSamples = 3 * sampleRateHz;
/** A segment of 28 s and the speech while an engine loads. */
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

	/** The oldest sample kept. */
	get startSample(): number {
		return this.#chunks[0]?.startSample ?? this.#endSample;
	}

	/** Dropped without being recognized, because the backlog was full. */
	get lostSamples(): number {
		return this.#lostSamples;
	}

	/** The audio from the first chunk at or after `sample`: whole chunks, at least `samplesMin` samples if there are as many. */
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

	/** Everything before this sample has its final. */
	dropRecognized(sample: number): void {
		this.#dropBefore(sample);
	}

	/** There is no speech up to `processedSample`. */
	dropSilence(processedSample: number): void {
		this.#dropBefore(
			Math.min(processedSample - doubtSamples, this.#endSample - silentSamples),
		);
	}

	/** The microphone is closed. */
	dropWhileClosed(): void {
		this.#dropBefore(this.#endSample - closedSamples);
	}

	/** Drops whole chunks, so slightly more than requested is kept. */
	#dropBefore(sample: number): void {
		let drop = 0;
		while (drop < this.#chunks.length && this.#endOf(drop) <= sample) drop++;
		if (drop > 0) this.#chunks.splice(0, drop);
	}

	#endOf(at: number): number {
		return this.#chunks[at + 1]?.startSample ?? this.#endSample;
	}
}
