/**
 * Cuts one channel of a file into passages of speech. It may resume in the middle, where an earlier engine stopped: what lies before is not transcribed
 * again; only the last minutes before are read to warm up voice activity detection.
 *
 * INVARIANT: after a resume the passages are the same as without the interruption: the resume lies at the end of a passage, and the detector's memory is
 * shorter than the warm-up. (Where that passage was cut for its length, the next one's speech may be reported to begin up to a second later.)
 */
import { concat } from "../../audio/concat.js";
import type {
	SampleRange,
	Segment,
	SegmentEvent,
} from "../../segmentation/events.js";
import { windowSamples } from "../../segmentation/speech-detector.js";
import type { SpeechSegmenter } from "../../segmentation/speech-segmenter.js";
import type { Channel, Resume } from "../file-job.js";

export interface Passage {
	readonly channel: Channel;
	/** Sample numbers are those of the file. */
	readonly segment: Segment;
}

/**
 * 4 minutes: after that much warm-up, earlier sound changes no output of the detector by 0.0001. (After 2 minutes by 0.003, after 1 by 0.03; after half
 * a minute by 0.11, and one decision of three thousand differs.)
 */
const warmUpWindows = 7500;
const none = new Float32Array(0);

export class ChannelSegmenter {
	readonly channel: Channel;
	readonly #segmenter: SpeechSegmenter;
	readonly #resumeSample: number;
	readonly #warmUpSample: number;
	/** The incomplete last window of the warm-up. */
	#warmUpLeft: Float32Array = none;
	#samplesSeen = 0;
	#passages: Passage[] = [];

	constructor(channel: Channel, segmenter: SpeechSegmenter, resume: Resume) {
		this.channel = channel;
		this.#segmenter = segmenter;
		this.#resumeSample = resume.sample;
		const resumeWindow = Math.floor(resume.sample / windowSamples);
		const far = Math.max(0, resumeWindow - warmUpWindows);
		const windows = resumeWindow - far + (far % segmenter.strideWindows);
		this.#warmUpSample = resume.sample - windows * windowSamples;
	}

	get samplesSeen(): number {
		return this.#samplesSeen;
	}

	/** Found but not yet taken, in order. */
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
			if (from < samples.length) await this.#warmUp(samples.subarray(from, to));
			if (to > samples.length) return;
		}
		const fresh = samples.subarray(Math.max(0, this.#resumeSample - start));
		this.#absorb(await this.#segmenter.accept(fresh));
	}

	async finish(): Promise<void> {
		this.#absorb(await this.#segmenter.finish());
	}

	/** The warm-up as a whole is a whole number of windows. */
	async #warmUp(samples: Float32Array): Promise<void> {
		const joined = concat(this.#warmUpLeft, samples);
		const whole = joined.length - (joined.length % windowSamples);
		this.#warmUpLeft = joined.slice(whole);
		if (whole > 0) await this.#segmenter.warmUp(joined.subarray(0, whole));
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

/** The segmenter counts samples from the resume. */
function moved(segment: Segment, samples: number): Segment {
	const movedRange = ({ startSample, endSample }: SampleRange) => ({
		startSample: startSample + samples,
		endSample: endSample + samples,
	});
	return {
		...segment,
		startSample: segment.startSample + samples,
		speechStartSample: segment.speechStartSample + samples,
		endSample: segment.endSample + samples,
		speechEndSample: segment.speechEndSample + samples,
		pauses: segment.pauses.map(movedRange),
		voiced: segment.voiced.map(movedRange),
	};
}
