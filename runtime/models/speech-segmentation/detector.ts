/**
 * Voice activity by the segmentation network: a window's answer is the mean of the looks that saw it (sliding-looks.ts), so it comes up to 10 s after the
 * window. For recordings.
 */
import type { SpeechDetector } from "../../segmentation/speech-detector.js";
import {
	classCount,
	firstFrameSample,
	frameSamples,
	type SegmentationModel,
} from "./network.js";
import { type Look, SlidingLooks, stepWindows } from "./sliding-looks.js";

const windowSamples = 512;

export class SegmentationDetector implements SpeechDetector {
	readonly windowSamples = windowSamples;
	readonly strideWindows = stepWindows;
	readonly #model: SegmentationModel;
	#looks = new SlidingLooks();
	/** What looks said of windows that another may see yet, from `#answered` on: sums, and of how many. */
	#sums: number[] = [];
	#counts: number[] = [];
	#answered = 0;

	constructor(model: SegmentationModel) {
		this.#model = model;
	}

	async accept(windows: Float32Array): Promise<Float32Array> {
		const answers: number[] = [];
		for (const look of this.#looks.accept(windows)) {
			await this.#see(look);
			answers.push(...this.#take(look.firstWindow + stepWindows));
		}
		return Float32Array.from(answers);
	}

	async finish(): Promise<Float32Array> {
		const look = this.#looks.finish();
		if (look) await this.#see(look);
		return Float32Array.from(this.#take(this.#looks.windowsSeen));
	}

	reset(): void {
		this.#looks = new SlidingLooks();
		this.#sums = [];
		this.#counts = [];
		this.#answered = 0;
	}

	async #see({ firstWindow, samples }: Look): Promise<void> {
		const classes = await this.#model.classesOf(samples);
		const count = samples.length / windowSamples;
		for (let i = 0; i < count; i++) {
			const at = firstWindow + i - this.#answered;
			if (at < 0) continue;
			const speech = speechAt(classes, (i + 0.5) * windowSamples);
			this.#sums[at] = (this.#sums[at] ?? 0) + speech;
			this.#counts[at] = (this.#counts[at] ?? 0) + 1;
		}
	}

	/** @returns the answers for windows before this one. */
	#take(beforeWindow: number): number[] {
		const count = beforeWindow - this.#answered;
		this.#answered = beforeWindow;
		const counts = this.#counts.splice(0, count);
		return this.#sums
			.splice(0, count)
			.map((sum, i) => sum / (counts[i] as number));
	}
}

/** How likely somebody speaks at a sample: between the two frames around it. */
function speechAt(classes: Float32Array, sample: number): number {
	const last = classes.length / classCount - 1;
	const at = (sample - firstFrameSample) / frameSamples;
	const place = Math.min(last, Math.max(0, at));
	const before = Math.floor(place);
	const after = Math.min(last, before + 1);
	const share = place - before;
	const silence = (frame: number) => classes[frame * classCount] as number;
	return 1 - (1 - share) * silence(before) - share * silence(after);
}
