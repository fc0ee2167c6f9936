/**
 * A whole file, from its bytes to its utterances: decoded as a stream, cut into passages by voice activity, each recognised while the file is read on,
 * cut into sentences, written.
 *
 * INVARIANTS
 * - What is told of a channel is told in its order, each passage once; all of a passage's sentences together.
 * - No more than `untoldMax` passages are held, however long the file.
 * - Who dies while working has said before what it works on.
 */

import type { ContainerDecoder } from "../../audio/decoder-port.js";
import { samplesToMs } from "../../audio/sample-rate.js";
import type { SegmentRequest } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Part } from "../../session/parts.js";
import { sentenceBreaks } from "../../session/sentences.js";
import type { Channel, HearJob, Stretch } from "../file-job.js";
import { ChannelEar, type Passage } from "./channel-ear.js";
import type { JobHome } from "./file-jobs.js";
import { channelsOf } from "./file-samples.js";
import { prepareLists } from "./list-preparation.js";
import type { Models } from "./models.js";
import { PassageWriter } from "./passage-writer.js";
import type { RecognizerPool } from "./pool/recognizer-pool.js";
import { refuseWhatItCannot } from "./refusals.js";
import { hearSegment } from "./segment-hearing.js";
import { segmentRequest } from "./segment-request.js";
import { uncancelled, type Wanted } from "./wanted.js";

export interface HearParts {
	readonly models: Pick<Models, "createFileSegmenter">;
	readonly pool: RecognizerPool;
	readonly decoder: ContainerDecoder;
	/** Where the job does not say; see `beamMax`. */
	readonly beam: number;
}

/** Two full batches: before there are so many, a batch would be begun with what there is. */
const enoughToBegin = 16;
/** Among so many there are several of about one length, so that batches end together. */
const untoldMax = 96;
/** Each row of the decoder costs nearly as much as the next when many segments are in a step, and passages lose nothing by three (docs/benchmarks/rejected.md). */
const beamMax = 3;
/** "progress at least every second". */
const progressMsMax = 800;

/** @returns the file's length in milliseconds. @throws CodedError */
export function hearFile(
	parts: HearParts,
	job: HearJob,
	options: RecognitionOptions,
	home: JobHome,
): Promise<number> {
	return new HearRun(parts, job, options, home).run();
}

/** A passage that was asked for and is not told yet. */
interface Asked {
	/** Settles when it is done. */
	done: Promise<void>;
	/** Somebody works on it, or did. */
	isBegun: boolean;
	/** When it is done; without parts it was left out. */
	outcome?: { readonly parts: readonly Part[] | undefined };
}

class HearRun {
	readonly #parts: HearParts;
	readonly #job: HearJob;
	readonly #options: RecognitionOptions;
	readonly #home: JobHome;
	readonly #writer: PassageWriter;
	readonly #ears: readonly ChannelEar[];
	/** In the order in which they were asked for. */
	readonly #asked = new Map<Passage, Asked>();
	#isAllFound = false;
	readonly #over = new AbortController();
	/** Nobody wants what is worked on: by the job's end, or by whoever wanted it. */
	readonly #signal: AbortSignal;
	#progressToldMs = 0;

	constructor(
		parts: HearParts,
		job: HearJob,
		options: RecognitionOptions,
		home: JobHome,
	) {
		this.#parts = parts;
		this.#job = job;
		this.#options = options;
		this.#home = home;
		this.#signal = AbortSignal.any([home.signal, this.#over.signal]);
		const channels: readonly Channel[] =
			job.source.channels === 2 ? [1, 2] : [1];
		const resumes = channels.map(
			(channel) => job.resume[channel - 1] ?? { sample: 0, index: 1 },
		);
		this.#ears = channels.map(
			(channel, i) =>
				new ChannelEar(
					channel,
					parts.models.createFileSegmenter(),
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
			await Promise.allSettled([...this.#asked.values()].map((it) => it.done));
		}
	}

	async #run(): Promise<number> {
		const { signal } = this.#home;
		const { source } = this.#job;
		const { decoder, pool } = this.#parts;
		refuseWhatItCannot(pool.own, this.#options);
		await prepareLists(pool.own, this.#options, () => signal.aborted);
		for await (const pieces of channelsOf(source, decoder, signal)) {
			for (const [i, ear] of this.#ears.entries())
				await ear.accept(pieces[i] as Float32Array);
			signal.throwIfAborted();
			this.#tellProgress();
			this.#askForMore();
			while (this.#untold.length >= untoldMax) await this.#tellFirst();
		}
		for (const ear of this.#ears) await ear.finish();
		this.#isAllFound = true;
		this.#askForMore();
		while (this.#untold.length > 0) await this.#tellFirst();
		return samplesToMs(Math.max(...this.#ears.map((it) => it.samplesSeen)));
	}

	/** Not told yet: passages of all channels, in the order in which they were said. */
	get #untold(): readonly Passage[] {
		return this.#ears
			.flatMap(({ passages }) => passages)
			.sort((a, b) => a.segment.startSample - b.segment.startSample);
	}

	/** What was asked for first is told when this settles, and perhaps others. @throws what went wrong with it */
	async #tellFirst(): Promise<void> {
		const [first] = this.#asked.values();
		await first?.done;
		this.#tellDone();
	}

	#askForMore(): void {
		const waiting = this.#untold.filter((it) => !this.#asked.has(it));
		if (this.#job.oneByOne) {
			const [next] = waiting;
			if (next && this.#asked.size === 0) this.#ask(next);
			return;
		}
		const isEnough = this.#asked.size > 0 || waiting.length >= enoughToBegin;
		if (isEnough || this.#isAllFound)
			for (const passage of waiting) this.#ask(passage);
	}

	#ask(passage: Passage): void {
		const asked: Asked = { done: Promise.resolve(), isBegun: false };
		this.#asked.set(passage, asked);
		asked.done = this.#hear(passage, asked);
		asked.done.catch(() => {}); // whoever waits for it first tells
	}

	async #hear(passage: Passage, asked: Asked): Promise<void> {
		const parts = await (this.#isSkipped(passage)
			? undefined
			: this.#partsOf(passage.segment));
		asked.outcome = { parts };
		this.#tellDone();
	}

	/** @throws the signal's reason */
	async #partsOf(segment: Segment): Promise<readonly Part[]> {
		const { pool } = this.#parts;
		const recognize = async (wanted: readonly Wanted[], isAgain: boolean) => {
			const found = await Promise.all(
				wanted.map(({ segment: piece, ...wish }) => {
					const request = { ...this.#requestOf(piece), ...wish };
					return pool.hear(request, this, isAgain);
				}),
			);
			this.#signal.throwIfAborted();
			return uncancelled(found);
		};
		return hearSegment(segment, this.#options.language, recognize);
	}

	/** Work begins. */
	onBegin(requests: readonly SegmentRequest[]): void {
		const samples = new Set(requests.map((it) => it.samples));
		const begun = [...this.#asked].filter(
			([{ segment }, { isBegun }]) => !isBegun && samples.has(segment.samples),
		);
		if (begun.length === 0) return; // a second look
		for (const [, asked] of begun) asked.isBegun = true;
		const stretches = this.#untold
			.filter((it) => this.#asked.get(it)?.isBegun)
			.map(stretchOf);
		this.#home.tell({ is: "trying", stretches });
	}

	/** Of each channel from the oldest on, as far as they are done. */
	#tellDone(): void {
		for (const ear of this.#ears)
			for (const passage of ear.passages) {
				const outcome = this.#asked.get(passage)?.outcome;
				if (!outcome) break;
				const heard = this.#writer.write(passage, outcome.parts);
				ear.take(passage);
				this.#asked.delete(passage);
				this.#home.tell(heard);
			}
		this.#askForMore();
	}

	#requestOf(segment: Segment): SegmentRequest {
		const { words, maxSentenceSilenceMs } = this.#options;
		// sentences, too, are told by when words were said
		const hasBreaks = sentenceBreaks(segment, maxSentenceSilenceMs).length > 0;
		return segmentRequest(
			segment,
			{ ...this.#options, words: words || hasBreaks },
			{
				beam: Math.min(this.#parts.beam, beamMax),
				cancelled: () => {
					this.#tellProgress();
					return this.#signal.aborted;
				},
			},
		);
	}

	/** Where most of it lies in what was not to be tried again: an engine that begins elsewhere may cut a little differently. */
	#isSkipped({ channel, segment }: Passage): boolean {
		return this.#job.skip.some((stretch) => {
			const from = Math.max(stretch.startSample, segment.startSample);
			const to = Math.min(stretch.endSample, segment.endSample);
			const shorter = Math.min(
				stretch.endSample - stretch.startSample,
				segment.endSample - segment.startSample,
			);
			return stretch.channel === channel && to - from > shorter / 2;
		});
	}

	/** Also where nothing moved: it is a sign of life. Asked between decoder steps and between pieces, so a job that hangs is silent. */
	#tellProgress(): void {
		const now = performance.now();
		if (now - this.#progressToldMs < progressMsMax) return;
		this.#progressToldMs = now;
		const first = this.#untold[0]?.segment.startSample;
		const seen = Math.max(...this.#ears.map((it) => it.samplesSeen));
		this.#home.tell({ is: "progress", audioMs: samplesToMs(first ?? seen) });
	}
}

function stretchOf({ channel, segment }: Passage): Stretch {
	const { startSample, endSample } = segment;
	return { channel, startSample, endSample };
}
