/**
 * Audio of a standing recognition without a final yet. A new recognition gets it first after the one before died, so that nothing is lost in between. During
 * silence it is the last seconds, while nothing is recognized the last half second.
 *
 * Counted in samples since its source started. What it drops because it is full counts as lost, unless it turns out that the recognition that had been given it
 * has recognized it.
 */
import { DropQueue } from "../audio/drop-queue.js";
import { sampleRateHz } from "../audio/sample-rate.js";
import { type AudioKeeper, type AudioRoom, memoryOf } from "./audio-room.js";

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
/** As much of 16 kHz: of more samples a second fewer seconds are kept. */
const bytesMax = secondsMax * pcmFormat.rateHz * pcmFormat.bytesPerSample;

interface BacklogChunk {
	readonly startSample: number;
	readonly bytes: Uint8Array;
}

export class AudioBacklog implements AudioKeeper {
	readonly format: BacklogFormat;
	/** Samples that it keeps at most; one chunk more while it gets it. */
	readonly samplesMax: number;
	readonly #room: AudioRoom | undefined;
	readonly #chunks = new DropQueue<BacklogChunk>();
	#keptBytes = 0;
	#endSample = 0;
	#lostSamples = 0;
	/** What was dropped last because it was full, and may have been recognized. */
	#dropped = { from: 0, to: 0 };

	/** @param room that it shares with others; absent: its memory is its own. */
	constructor(format: BacklogFormat = pcmFormat, room?: AudioRoom) {
		this.format = format;
		this.samplesMax = Math.min(
			this.#samples(secondsMax),
			bytesMax / format.bytesPerSample,
		);
		this.#room = room;
	}

	/** One past the last sample. */
	get endSample(): number {
		return this.#endSample;
	}

	/** The oldest sample kept. */
	get startSample(): number {
		return this.#chunks.at(0)?.startSample ?? this.#endSample;
	}

	/** Of memory. */
	get keptBytes(): number {
		return this.#keptBytes;
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
			(this.#chunks.at(at - 1) as BacklogChunk).startSample >= sample
		)
			at--;
		const chunks: Uint8Array[] = [];
		const bytesMin = samplesMin * this.format.bytesPerSample;
		for (let bytes = 0; bytes < bytesMin; at++) {
			const chunk = this.#chunks.at(at);
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
		this.#dropFull(this.#endSample - this.samplesMax);
		this.#note(memoryOf(bytes));
	}

	/** Others need the room. */
	dropOldest(bytes: number): void {
		let freed = 0;
		let drop = 0;
		for (; freed < bytes && drop < this.#chunks.length; drop++)
			freed += memoryOf((this.#chunks.at(drop) as BacklogChunk).bytes);
		this.#dropFull(this.#endOf(drop - 1));
	}

	/** Moves what begins there to a backlog of its own, which gets no more and is soon given to its recognition; the rest is dropped. */
	moveFrom(sample: number): AudioBacklog {
		const moved = new AudioBacklog(this.format);
		for (let at = 0; at < this.#chunks.length; at++) {
			const chunk = this.#chunks.at(at) as BacklogChunk;
			if (chunk.startSample >= sample) moved.#chunks.push(chunk);
		}
		moved.#endSample = this.#endSample;
		this.#chunks.clear();
		this.#note(-this.#keptBytes);
		return moved;
	}

	/** No engine took so much of it. */
	countLost(samples: number): void {
		this.#lostSamples += samples;
	}

	/** Everything before this sample has its final. @param sinceSample where the recognition began that emitted it. */
	dropRecognized(sample: number, sinceSample = sample): void {
		this.#regain(sinceSample, sample);
		this.#dropBefore(sample);
	}

	/** There is no speech up to `processedSample`. @param sinceSample where the recognition began that says so. */
	dropSilence(processedSample: number, sinceSample = processedSample): void {
		const silentSample = processedSample - this.#samples(doubtSeconds);
		this.#regain(sinceSample, silentSample);
		this.#dropBefore(
			Math.min(silentSample, this.#endSample - this.#samples(silentSeconds)),
		);
	}

	/** Nothing is recognized now. */
	dropWhileClosed(): void {
		this.#dropBefore(this.#endSample - this.#samples(closedSeconds));
	}

	/** It is full, or the room that it shares: what is dropped counts as lost. */
	#dropFull(sample: number): void {
		const from = this.startSample;
		this.#dropBefore(sample);
		const to = this.startSample;
		if (to === from) return;
		this.#lostSamples += to - from;
		const { from: before, to: until } = this.#dropped;
		this.#dropped = { from: until === from ? before : from, to };
	}

	/** What was dropped there is not lost: it had been given to the recognition that is done with it now. */
	#regain(sinceSample: number, sample: number): void {
		if (!this.#room) return; // a microphone's count is read all the time, and never goes down
		const from = Math.max(sinceSample, this.#dropped.from);
		const to = Math.min(sample, this.#dropped.to);
		if (to <= from) return;
		this.#lostSamples -= to - from;
		this.#dropped.from = to;
	}

	/** Drops whole chunks, so slightly more than requested is kept. */
	#dropBefore(sample: number): void {
		let freed = 0;
		while (this.#chunks.length > 0 && this.#endOf(0) <= sample)
			freed += memoryOf((this.#chunks.shift() as BacklogChunk).bytes);
		if (freed > 0) this.#note(-freed);
	}

	#note(bytes: number): void {
		this.#keptBytes += bytes;
		this.#room?.note(this, bytes);
	}

	#samples(seconds: number): number {
		return seconds * this.format.rateHz;
	}

	#endOf(at: number): number {
		return this.#chunks.at(at + 1)?.startSample ?? this.#endSample;
	}
}
