/**
 * Transcribes a whole file: decoded as a stream, cut into passages by voice activity, each recognized while the file is read further,
 * cut into sentences, post-processed.
 *
 * INVARIANTS
 * - A channel's passages are reported in order, each once, all of a passage's sentences together.
 * - No more than `pendingMax` passages are held, however long the file.
 * - Before an engine works on passages it reports them, so that it is known what it died of.
 */

import type { ContainerDecoder } from "../../audio/decoder-port.js";
import { samplesToMs } from "../../audio/sample-rate.js";
import type { SegmentRequest } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import { filePassageRules } from "../../segmentation/rules.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Part } from "../../session/parts.js";
import { sentenceBreaks } from "../../session/sentences.js";
import { pairOf } from "../../text/languages.js";
import type { Channel, ChannelSpan, RecognitionJob } from "../file-job.js";
import { ChannelSegmenter, type Passage } from "./channel-segmenter.js";
import type { JobContext } from "./file-jobs.js";
import { channelsOf } from "./file-samples.js";
import { prepareLists } from "./list-preparation.js";
import type { Models } from "./models.js";
import { PassageWriter } from "./passage-writer.js";
import type { RecognizerPool } from "./pool/recognizer-pool.js";
import { refuseUnsupported } from "./refusals.js";
import { type SegmentQuery, uncancelledResults } from "./segment-query.js";
import { recognizeSegment } from "./segment-recognition.js";
import { segmentRequest } from "./segment-request.js";

export interface RecognitionJobParts {
	readonly models: Pick<Models, "createFileSegmenter">;
	readonly pool: RecognizerPool;
	readonly decoder: ContainerDecoder;
	/** For jobs that do not set one; see `beamMax`. */
	readonly beam: number;
}

/** Two full batches: starting earlier would begin with a partial batch. */
const enoughToBegin = 16;
/** Enough that several are of about equal length, so that the segments of a batch end together. */
const pendingMax = 96;
/** With many segments in a decoder step, each row costs nearly as much as the one before; passages lose no accuracy with a beam of three (docs/benchmarks/rejected.md). */
const beamMax = 3;
/** "progress at least every second". */
const progressMsMax = 800;

/** @returns the file's length in milliseconds. @throws CodedError */
export function recognizeFile(
	parts: RecognitionJobParts,
	job: RecognitionJob,
	options: RecognitionOptions,
	context: JobContext,
): Promise<number> {
	return new RecognitionJobRun(parts, job, options, context).run();
}

/** A passage that was requested from the recognizer and is not reported yet. */
interface PassageState {
	/** Settles when it is done. */
	done: Promise<void>;
	/** Work on it has begun. */
	isBegun: boolean;
	/** Set when it is done; without parts it was skipped. */
	outcome?: { readonly parts: readonly Part[] | undefined };
}

class RecognitionJobRun {
	readonly #parts: RecognitionJobParts;
	readonly #job: RecognitionJob;
	readonly #options: RecognitionOptions;
	readonly #context: JobContext;
	readonly #writer: PassageWriter;
	readonly #segmenters: readonly ChannelSegmenter[];
	/** In the order in which they were requested. */
	readonly #requested = new Map<Passage, PassageState>();
	#readToEnd = false;
	readonly #over = new AbortController();
	/** Cancels work in progress: at the job's end, or by the caller. */
	readonly #signal: AbortSignal;
	#progressSentMs = 0;

	constructor(
		parts: RecognitionJobParts,
		job: RecognitionJob,
		options: RecognitionOptions,
		context: JobContext,
	) {
		this.#parts = parts;
		this.#job = job;
		this.#options = options;
		this.#context = context;
		this.#signal = AbortSignal.any([context.signal, this.#over.signal]);
		const channels: readonly Channel[] =
			job.source.channels === 2 ? [1, 2] : [1];
		const resumes = channels.map(
			(channel) => job.resume[channel - 1] ?? { sample: 0, index: 1 },
		);
		this.#segmenters = channels.map(
			(channel, i) =>
				new ChannelSegmenter(
					channel,
					parts.models.createFileSegmenter(
						filePassageRules(pairOf(options.language) !== undefined),
					),
					resumes[i] ?? { sample: 0, index: 1 },
				),
		);
		this.#writer = new PassageWriter(options, resumes);
	}

	async run(): Promise<number> {
		try {
			return await this.#run();
		} finally {
			this.#over.abort();
			await Promise.allSettled(
				[...this.#requested.values()].map((it) => it.done),
			);
		}
	}

	async #run(): Promise<number> {
		const { signal } = this.#context;
		const { source } = this.#job;
		const { decoder, pool } = this.#parts;
		refuseUnsupported(pool.own, this.#options);
		await prepareLists(pool.own, this.#options, () => signal.aborted);
		for await (const pieces of channelsOf(source, decoder, signal)) {
			for (const [i, segmenter] of this.#segmenters.entries())
				await segmenter.accept(pieces[i] as Float32Array);
			signal.throwIfAborted();
			this.#emitProgress();
			this.#requestMore();
			while (this.#pending.length >= pendingMax) await this.#emitFirst();
		}
		for (const segmenter of this.#segmenters) await segmenter.finish();
		this.#readToEnd = true;
		this.#requestMore();
		while (this.#pending.length > 0) await this.#emitFirst();
		return samplesToMs(
			Math.max(...this.#segmenters.map((it) => it.samplesSeen)),
		);
	}

	/** Passages of all channels not reported yet, in order of time. */
	get #pending(): readonly Passage[] {
		return this.#segmenters
			.flatMap(({ passages }) => passages)
			.sort((a, b) => a.segment.startSample - b.segment.startSample);
	}

	/** Settles once the oldest request, and perhaps others, are reported. @throws what failed it */
	async #emitFirst(): Promise<void> {
		const [first] = this.#requested.values();
		await first?.done;
		this.#emitDone();
	}

	#requestMore(): void {
		const waiting = this.#pending.filter((it) => !this.#requested.has(it));
		if (this.#job.oneByOne) {
			const [next] = waiting;
			if (next && this.#requested.size === 0) this.#request(next);
			return;
		}
		const isEnough =
			this.#requested.size > 0 || waiting.length >= enoughToBegin;
		if (isEnough || this.#readToEnd)
			for (const passage of waiting) this.#request(passage);
	}

	#request(passage: Passage): void {
		const state: PassageState = { done: Promise.resolve(), isBegun: false };
		this.#requested.set(passage, state);
		state.done = this.#recognize(passage, state);
		state.done.catch(() => {}); // reported to whoever awaits it
	}

	async #recognize(passage: Passage, state: PassageState): Promise<void> {
		const parts = await (this.#isSkipped(passage)
			? undefined
			: this.#partsOf(passage.segment));
		state.outcome = { parts };
		this.#emitDone();
	}

	/** @throws the signal's reason */
	async #partsOf(segment: Segment): Promise<readonly Part[]> {
		const { pool } = this.#parts;
		const recognize = async (
			queries: readonly SegmentQuery[],
			isAgain: boolean,
		) => {
			const found = await Promise.all(
				queries.map(({ segment: piece, ...query }) => {
					const request = { ...this.#requestOf(piece), ...query };
					return pool.recognize(request, this, isAgain);
				}),
			);
			this.#signal.throwIfAborted();
			return uncancelledResults(found);
		};
		return recognizeSegment(segment, this.#options.language, recognize);
	}

	/** Called by the pool when work on these requests begins. */
	onBegin(requests: readonly SegmentRequest[]): void {
		const samples = new Set(requests.map((it) => it.samples));
		const begun = [...this.#requested].filter(
			([{ segment }, { isBegun }]) => !isBegun && samples.has(segment.samples),
		);
		if (begun.length === 0) return; // a repeated recognition
		for (const [, state] of begun) state.isBegun = true;
		const spans = this.#pending
			.filter((it) => this.#requested.get(it)?.isBegun)
			.map(spanOf);
		this.#context.emit({ is: "trying", stretches: spans });
	}

	/** Called by the pool while it works on other jobs' passages. */
	onOthersProgress(): void {
		this.#emitProgress();
	}

	/** Reports, for each channel, the oldest passages up to the first that is not done. */
	#emitDone(): void {
		for (const segmenter of this.#segmenters)
			for (const passage of segmenter.passages) {
				const outcome = this.#requested.get(passage)?.outcome;
				if (!outcome) break;
				const recognized = this.#writer.write(passage, outcome.parts);
				segmenter.take(passage);
				this.#requested.delete(passage);
				this.#context.emit(recognized);
			}
		this.#requestMore();
	}

	#requestOf(segment: Segment): SegmentRequest {
		const { words, maxSentenceSilenceMs } = this.#options;
		// word times are also needed to cut sentences
		const hasBreaks = sentenceBreaks(segment, maxSentenceSilenceMs).length > 0;
		return segmentRequest(
			segment,
			{ ...this.#options, words: words || hasBreaks },
			{
				beam: Math.min(this.#parts.beam, beamMax),
				cancelled: () => {
					this.#emitProgress();
					return this.#signal.aborted;
				},
			},
		);
	}

	/** True if most of the passage lies in a span to skip: an engine that resumes elsewhere may cut slightly differently. */
	#isSkipped({ channel, segment }: Passage): boolean {
		return this.#job.skip.some((span) => {
			const from = Math.max(span.startSample, segment.startSample);
			const to = Math.min(span.endSample, segment.endSample);
			const shorter = Math.min(
				span.endSample - span.startSample,
				segment.endSample - segment.startSample,
			);
			return span.channel === channel && to - from > shorter / 2;
		});
	}

	/**
	 * Sent even without progress, as a sign of life. Called between decoder steps, also those for other jobs that this one waits for, and between pieces: an
	 * inference that hangs silences every job that needs it.
	 */
	#emitProgress(): void {
		const now = performance.now();
		if (now - this.#progressSentMs < progressMsMax) return;
		this.#progressSentMs = now;
		const first = this.#pending[0]?.segment.startSample;
		const seen = Math.max(...this.#segmenters.map((it) => it.samplesSeen));
		this.#context.emit({ is: "progress", audioMs: samplesToMs(first ?? seen) });
	}
}

function spanOf({ channel, segment }: Passage): ChannelSpan {
	const { startSample, endSample } = segment;
	return { channel, startSample, endSample };
}
