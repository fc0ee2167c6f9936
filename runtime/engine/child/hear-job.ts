/**
 * A whole file, from its bytes to its utterances: decoded as a stream, cut into passages by voice activity, recognised several at a time, cut into
 * sentences, written.
 *
 * INVARIANTS
 * - What is told of a channel is told in its order, each passage once; all of a passage's sentences together.
 * - No more than `passagesTogether` passages wait, and `parts.ahead` times as many are worked on, however long the file.
 * - Who dies while working has said before what it tried.
 */
import type { ContainerDecoder } from "../../audio/decoder-port.js";
import type { SegmentRequest } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import type { Utterance } from "../../session/events.js";
import type { RecognitionOptions } from "../../session/options.js";
import { sentenceBreaks, sentencesOf } from "../../session/sentences.js";
import { mayLoseSpeech, type Part } from "../../session/unheard.js";
import { makeUtterance, samplesToMs } from "../../session/utterance.js";
import { writeUtterance } from "../../session/writing.js";
import { TextPipeline } from "../../text/pipeline.js";
import type { Channel, FileEvent, HearJob, Stretch } from "../file-job.js";
import { ChannelEar, type Passage } from "./channel-ear.js";
import type { JobHome } from "./file-jobs.js";
import { channelsOf } from "./file-samples.js";
import { prepareLists } from "./list-preparation.js";
import type { Models } from "./models.js";
import { refuseWhatItCannot } from "./refusals.js";
import { SegmentHearing } from "./segment-hearing.js";

export interface HearParts {
	readonly models: Pick<Models, "recognizer" | "createFileSegmenter">;
	readonly decoder: ContainerDecoder;
	/** Where the job does not say; see `beamMax`. */
	readonly beam: number;
	/** Sets of passages that may be worked on at once: more than one where the recognizer does several things at a time. */
	readonly ahead: number;
}

/** Found ahead and recognised together: among so many there are several of about one length, so that batches are full. */
const passagesTogether = 48;
/** Each row of the decoder costs nearly as much as the next when many segments are in a step, and passages lose nothing by three (BENCHMARKS.md). */
const beamMax = 3;
/** "progress at least every second". */
const progressMsMax = 800;

type HeardUtterance = Extract<
	FileEvent,
	{ readonly is: "heard" }
>["utterances"][number];

/** Passages on their way through the recognizer. */
interface Attempt {
	readonly passages: readonly Passage[];
	readonly found: Promise<Map<Passage, readonly Part[]>>;
}

/** @returns the file's length in milliseconds. @throws CodedError */
export function hearFile(
	parts: HearParts,
	job: HearJob,
	options: RecognitionOptions,
	home: JobHome,
): Promise<number> {
	return new HearRun(parts, job, options, home).run();
}

class HearRun {
	readonly #parts: HearParts;
	readonly #job: HearJob;
	readonly #options: RecognitionOptions;
	readonly #home: JobHome;
	readonly #pipeline: TextPipeline;
	readonly #hearing: SegmentHearing;
	readonly #ears: readonly ChannelEar[];
	/** By channel, of the next utterance. */
	readonly #nextIndex: number[];
	/** Worked on, oldest first. */
	#attempts: readonly Attempt[] = [];
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
		this.#pipeline = new TextPipeline(options);
		this.#signal = AbortSignal.any([home.signal, this.#over.signal]);
		this.#hearing = new SegmentHearing(
			parts.models.recognizer,
			(segment) => this.#requestOf(segment),
			this.#signal,
		);
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
		this.#nextIndex = resumes.map(({ index }) => index);
	}

	async run(): Promise<number> {
		try {
			return await this.#run();
		} finally {
			this.#over.abort();
			await Promise.allSettled(this.#attempts.map(({ found }) => found));
		}
	}

	async #run(): Promise<number> {
		const { signal } = this.#home;
		const { source } = this.#job;
		const { recognizer } = this.#parts.models;
		refuseWhatItCannot(recognizer, this.#options);
		await prepareLists(recognizer, this.#options, () => signal.aborted);
		for await (const pieces of channelsOf(
			source,
			this.#parts.decoder,
			signal,
		)) {
			for (const [i, ear] of this.#ears.entries())
				await ear.accept(pieces[i] as Float32Array);
			signal.throwIfAborted();
			this.#tellProgress();
			while (this.#waiting.length >= passagesTogether) await this.#tryNext();
		}
		for (const ear of this.#ears) await ear.finish();
		while (this.#waiting.length > 0) await this.#tryNext();
		while (this.#attempts.length > 0) await this.#tellOldest();
		return samplesToMs(Math.max(...this.#ears.map((it) => it.samplesSeen)));
	}

	/** Not told yet: passages of all channels, in the order in which they were said. */
	get #untold(): readonly Passage[] {
		return this.#ears
			.flatMap(({ passages }) => passages)
			.sort((a, b) => a.segment.startSample - b.segment.startSample);
	}

	/** Of those, the ones that nobody works on. */
	get #waiting(): readonly Passage[] {
		const taken = new Set(this.#attempts.flatMap(({ passages }) => passages));
		return this.#untold.filter((it) => !taken.has(it));
	}

	/** Begins with the next ones, once there is room for them. */
	async #tryNext(): Promise<void> {
		const { oneByOne } = this.#job;
		const attemptsMax = oneByOne ? 1 : this.#parts.ahead;
		while (this.#attempts.length >= attemptsMax) await this.#tellOldest();
		const passages = this.#waiting.slice(0, oneByOne ? 1 : passagesTogether);
		const tried = passages.filter((it) => !this.#isSkipped(it));
		const others = this.#attempts.flatMap((it) => it.passages);
		if (tried.length > 0)
			this.#home.tell({
				is: "trying",
				stretches: [
					...others.filter((it) => !this.#isSkipped(it)),
					...tried,
				].map(stretchOf),
			});
		const found = this.#recognize(tried);
		found.catch(() => {}); // whoever waits for it first tells
		this.#attempts = [...this.#attempts, { passages, found }];
	}

	async #tellOldest(): Promise<void> {
		const [oldest, ...others] = this.#attempts;
		if (!oldest) return;
		const found = await oldest.found;
		this.#attempts = others;
		for (const passage of oldest.passages) {
			const parts = found.get(passage);
			this.#tellHeard(
				passage,
				parts ? this.#write(passage, parts) : [this.#skippedUtterance(passage)],
			);
		}
	}

	async #recognize(
		passages: readonly Passage[],
	): Promise<Map<Passage, readonly Part[]>> {
		const found = new Map<Passage, readonly Part[]>();
		if (passages.length === 0) return found;
		const heard = await this.#hearing.hear(passages.map((it) => it.segment));
		for (const [i, passage] of passages.entries())
			found.set(passage, heard[i] as readonly Part[]);
		return found;
	}

	#requestOf(segment: Segment): SegmentRequest {
		const {
			language,
			punctuation,
			words,
			hotwords,
			beam,
			maxSentenceSilenceMs,
		} = this.#options;
		const breaks = sentenceBreaks(segment, maxSentenceSilenceMs);
		return {
			samples: segment.samples,
			language,
			punctuation,
			// sentences, and what was left out, are told by when words were said
			words: words || breaks.length > 0 || mayLoseSpeech(segment),
			...(hotwords && { hotwords }),
			beam: beam ?? Math.min(this.#parts.beam, beamMax),
			cancelled: () => {
				this.#tellProgress();
				return this.#signal.aborted;
			},
		};
	}

	#write({ channel }: Passage, parts: readonly Part[]) {
		const written: Utterance[] = [];
		const sentences = parts.flatMap(({ segment, hypothesis }) =>
			sentencesOf(segment, hypothesis, this.#options),
		);
		for (const part of sentences) {
			const index = this.#nextIndex[channel - 1] ?? 1;
			const heard = makeUtterance({ ...part.segment, index }, part.hypothesis);
			const utterance = writeUtterance(heard, this.#pipeline);
			if (utterance.text === "") continue;
			this.#nextIndex[channel - 1] = index + 1;
			written.push(
				this.#options.words ? utterance : { ...utterance, words: [] },
			);
		}
		return written;
	}

	#skippedUtterance({ channel, segment }: Passage): HeardUtterance {
		const index = this.#nextIndex[channel - 1] ?? 1;
		this.#nextIndex[channel - 1] = index + 1;
		const nothing = {
			text: "",
			tokens: [],
			confidence: 0,
			words: [],
			guards: [],
		};
		return { ...makeUtterance({ ...segment, index }, nothing), skipped: true };
	}

	#tellHeard(passage: Passage, utterances: readonly HeardUtterance[]): void {
		const { channel, segment } = passage;
		this.#ears[channel - 1]?.take(passage);
		this.#home.tell({
			is: "heard",
			channel,
			utterances,
			resume: {
				sample: segment.endSample,
				index: this.#nextIndex[channel - 1] ?? 1,
			},
		});
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
