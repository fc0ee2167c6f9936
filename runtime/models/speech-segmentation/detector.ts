/**
 * Voice activity by the segmentation network: a window's probability is the mean over the spans that cover it (sliding-spans.ts), so it is available up to
 * 10 s after the window. For recordings.
 */
import {
	type SpeechDetector,
	windowSamples,
} from "../../segmentation/speech-detector.js";
import {
	classCount,
	firstFrameSample,
	frameSamples,
	type SegmentationModel,
} from "./network.js";
import { type AudioSpan, SlidingSpans, stepWindows } from "./sliding-spans.js";

/** Who speaks in one span. */
export interface SpanSpeakers {
	/** Index of the span's first window in the stream. */
	readonly firstWindow: number;
	/** The likeliest class of each window: nobody, speaker 1, 2, 3, 1 and 2, 1 and 3, 2 and 3. Speaker 1 of one span may be another person than speaker 1 of the next. */
	readonly speaking: Uint8Array;
}

export type OnSpan = (span: SpanSpeakers) => void;

export class SegmentationDetector implements SpeechDetector {
	readonly windowSamples = windowSamples;
	readonly strideWindows = stepWindows;
	readonly #model: SegmentationModel;
	readonly #onSpan: OnSpan | undefined;
	#spans = new SlidingSpans();
	/** Sums and counts of the probabilities of windows that another span may still cover, from window `#answered` on. */
	#sums: number[] = [];
	#counts: number[] = [];
	#answered = 0;

	/** @param onSpan called with each span, in order. */
	constructor(model: SegmentationModel, onSpan?: OnSpan) {
		this.#model = model;
		this.#onSpan = onSpan;
	}

	async accept(windows: Float32Array): Promise<Float32Array> {
		const answers: number[] = [];
		for (const span of this.#spans.accept(windows)) {
			await this.#infer(span);
			answers.push(...this.#take(span.firstWindow + stepWindows));
		}
		return Float32Array.from(answers);
	}

	async finish(): Promise<Float32Array> {
		const span = this.#spans.finish();
		if (span) await this.#infer(span);
		return Float32Array.from(this.#take(this.#spans.windowsSeen));
	}

	reset(): void {
		this.#spans = new SlidingSpans();
		this.#sums = [];
		this.#counts = [];
		this.#answered = 0;
	}

	async #infer({ firstWindow, samples }: AudioSpan): Promise<void> {
		const classes = await this.#model.classesOf(samples);
		const count = samples.length / windowSamples;
		const speaking = Uint8Array.from({ length: count }, (_, i) =>
			likeliestAt(classes, (i + 0.5) * windowSamples),
		);
		this.#onSpan?.({ firstWindow, speaking });
		for (let i = 0; i < count; i++) {
			const at = firstWindow + i - this.#answered;
			if (at < 0) continue;
			const speech = speechAt(classes, (i + 0.5) * windowSamples);
			this.#sums[at] = (this.#sums[at] ?? 0) + speech;
			this.#counts[at] = (this.#counts[at] ?? 0) + 1;
		}
	}

	/** @returns the probabilities of the windows before this one that were not returned yet. */
	#take(beforeWindow: number): number[] {
		const count = beforeWindow - this.#answered;
		this.#answered = beforeWindow;
		const counts = this.#counts.splice(0, count);
		return this.#sums
			.splice(0, count)
			.map((sum, i) => sum / (counts[i] as number));
	}
}

function likeliestAt(classes: Float32Array, sample: number): number {
	const last = classes.length / classCount - 1;
	const at = Math.round((sample - firstFrameSample) / frameSamples);
	const start = Math.min(last, Math.max(0, at)) * classCount;
	let likeliest = 0;
	for (let i = 1; i < classCount; i++) {
		const isMore =
			(classes[start + i] as number) > (classes[start + likeliest] as number);
		if (isMore) likeliest = i;
	}
	return likeliest;
}

/** Probability of speech at a sample, interpolated between the two frames around it. */
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
