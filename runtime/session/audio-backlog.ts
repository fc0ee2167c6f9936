/**
 * Audio of a standing recognition without a final yet. A new recognition gets it first after the one before died, so that nothing is lost in between. During
 * silence it is the last seconds, while nothing is recognized the last half second.
 *
 * Counted in samples since its source started; pure.
 */
import { sampleRateHz } from "../audio/sample-rate.js";

/** Of mono audio. */
export interface BacklogFormat {
	readonly rateHz: number;
	readonly bytesPerSample: number;
}

/** Signed 16-bit, 16 kHz. */
const pcmFormat: BacklogFormat = {
	rateHz: sampleRateHz,
	bytesPerSample: 2,
};

/** While nothing is recognized: the start of a word spoken before the talk key is pressed. */
const closedSeconds = 0.5;
/** Audio before a speech-begin event that may belong to the speech. */
const doubtSeconds = 1.5;
/** During silence. */
const silentSeconds = 3;
/** A segment of 28 s and the speech while an engine loads. */
const secondsMax = 40;

interface BacklogChunk {
	readonly startSample: number;
	readonly bytes: Uint8Array;
}

export class AudioBacklog {
	readonly format: BacklogFormat;
	#chunks: BacklogChunk[] = [];
	#endSample = 0;
	#lostSamples = 0;

	constructor(format: BacklogFormat = pcmFormat) {
		this.format = format;
	}

	/** One past the last sample. */
	get endSample(): number {
		return this.#endSample;
	}

	/** The oldest sample kept. */
	get startSample(): number {
		return this.#chunks[0]?.startSample ?? this.#endSample;
	}

	/** Not recognized: the backlog was full, or no engine took it or was done with it in time. */
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
		const bytesMin = samplesMin * this.format.bytesPerSample;
		for (let bytes = 0; bytes < bytesMin; at++) {
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
		this.#endSample += bytes.length / this.format.bytesPerSample;
		const before = this.startSample;
		this.#dropBefore(this.#endSample - this.#samples(secondsMax));
		this.#lostSamples += this.startSample - before;
	}

	/** Moves what begins there to a backlog of its own, which gets no more; the rest is dropped. */
	moveFrom(sample: number): AudioBacklog {
		const moved = new AudioBacklog(this.format);
		moved.#chunks = this.#chunks.filter((it) => it.startSample >= sample);
		moved.#endSample = this.#endSample;
		this.#chunks = [];
		return moved;
	}

	/** No engine took so much of it. */
	countLost(samples: number): void {
		this.#lostSamples += samples;
	}

	/** Everything before this sample has its final. */
	dropRecognized(sample: number): void {
		this.#dropBefore(sample);
	}

	/** There is no speech up to `processedSample`. */
	dropSilence(processedSample: number): void {
		this.#dropBefore(
			Math.min(
				processedSample - this.#samples(doubtSeconds),
				this.#endSample - this.#samples(silentSeconds),
			),
		);
	}

	/** Nothing is recognized now. */
	dropWhileClosed(): void {
		this.#dropBefore(this.#endSample - this.#samples(closedSeconds));
	}

	/** Drops whole chunks, so slightly more than requested is kept. */
	#dropBefore(sample: number): void {
		let drop = 0;
		while (drop < this.#chunks.length && this.#endOf(drop) <= sample) drop++;
		if (drop > 0) this.#chunks.splice(0, drop);
	}

	#samples(seconds: number): number {
		return seconds * this.format.rateHz;
	}

	#endOf(at: number): number {
		return this.#chunks[at + 1]?.startSample ?? this.#endSample;
	}
}
