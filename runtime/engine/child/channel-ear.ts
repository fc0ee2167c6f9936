/**
 * One channel of a file on its way to passages of speech. It may begin in the middle, where an engine before came to: what lies before is not heard
 * again, but for the last seconds, by which voice activity gets used to the place.
 *
 * INVARIANT: passages from a resume on are those that would have come without the break: it lies where a passage ended, and the detector's memory is
 * shorter than what it is given.
 */
import type { Segment, SegmentEvent } from "../../segmentation/events.js";
import { windowSamples } from "../../segmentation/rules.js";
import type { SpeechSegmenter } from "../../segmentation/speech-segmenter.js";
import type { Channel, Resume } from "../file-job.js";

export interface Passage {
	readonly channel: Channel;
	/** Sample numbers are those of the file. */
	readonly segment: Segment;
}

/** 30 s: the detector's own memory, and the level it follows. */
const warmUpWindows = 938;

export class ChannelEar {
	readonly channel: Channel;
	readonly #segmenter: SpeechSegmenter;
	readonly #resumeSample: number;
	readonly #warmUpSample: number;
	/** What the detector gets used to, until there is a whole window of it. */
	#warmUp: Float32Array[] = [];
	#samplesSeen = 0;
	#passages: Passage[] = [];

	constructor(channel: Channel, segmenter: SpeechSegmenter, resume: Resume) {
		this.channel = channel;
		this.#segmenter = segmenter;
		this.#resumeSample = resume.sample;
		const windows = Math.min(
			warmUpWindows,
			Math.floor(resume.sample / windowSamples),
		);
		this.#warmUpSample = resume.sample - windows * windowSamples;
	}

	get samplesSeen(): number {
		return this.#samplesSeen;
	}

	/** Found and not taken yet, in order. */
	get passages(): readonly Passage[] {
		return this.#passages;
	}

	take(passage: Passage): void {
		this.#passages = this.#passages.filter((it) => it !== passage);
	}

	async accept(samples: Float32Array): Promise<void> {
		const start = this.#samplesSeen;
		this.#samplesSeen += samples.length;
		if (start < this.#resumeSample) {
			const from = Math.max(0, this.#warmUpSample - start);
			const to = this.#resumeSample - start;
			if (from < samples.length) this.#warmUp.push(samples.slice(from, to));
			if (to > samples.length) return;
			await this.#warm();
		}
		const fresh = samples.subarray(Math.max(0, this.#resumeSample - start));
		this.#absorb(await this.#segmenter.accept(fresh));
	}

	async finish(): Promise<void> {
		this.#absorb(await this.#segmenter.finish());
	}

	async #warm(): Promise<void> {
		const total = this.#warmUp.reduce((sum, it) => sum + it.length, 0);
		const samples = new Float32Array(total);
		let at = 0;
		for (const piece of this.#warmUp) {
			samples.set(piece, at);
			at += piece.length;
		}
		this.#warmUp = [];
		if (total > 0) await this.#segmenter.warmUp(samples);
	}

	#absorb(events: readonly SegmentEvent[]): void {
		for (const event of events)
			if (event.is === "end")
				this.#passages.push({
					channel: this.channel,
					segment: moved(event.segment, this.#resumeSample),
				});
	}
}

/** The segmenter counts from where it began to hear. */
function moved(segment: Segment, samples: number): Segment {
	return {
		...segment,
		startSample: segment.startSample + samples,
		speechStartSample: segment.speechStartSample + samples,
		endSample: segment.endSample + samples,
		speechEndSample: segment.speechEndSample + samples,
		pauses: segment.pauses.map(({ startSample, endSample }) => ({
			startSample: startSample + samples,
			endSample: endSample + samples,
		})),
	};
}
