/**
 * Speaker diarization of a file: the file is streamed twice, once to find pauses and once to compute voice embeddings. The model is loaded for the first
 * file that requests it and kept; few files do.
 */
import type { ContainerDecoder } from "../../audio/decoder-port.js";
import { CodedError } from "../../errors.js";
import {
	openCampplus,
	type VoiceEmbedder,
} from "../../models/campplus/embedder.js";
import type { SpeakerShape } from "../../models/campplus/shape.js";
import type { InferencePort } from "../../models/inference-port.js";
import {
	loadPackage,
	PackageError,
} from "../../models/package/model-package.js";
import { verifyPackage } from "../../models/package/verify.js";
import type { SegmentEvent } from "../../segmentation/events.js";
import { filePassageRules } from "../../segmentation/rules.js";
import { Diarizer } from "../../speakers/diarizer.js";
import { LocalSpans } from "../../speakers/local-spans.js";
import { speechRegionsOf } from "../../speakers/speech-regions.js";
import type { Region } from "../../speakers/windows.js";
import type { DiarizationJob } from "../file-job.js";
import type { CoreSettings } from "../protocol.js";
import type { JobContext } from "./file-jobs.js";
import { channelsOf } from "./file-samples.js";
import type { Models } from "./models.js";

interface SpeakerModel {
	readonly embedder: VoiceEmbedder;
	readonly shape: SpeakerShape;
}

type SpeakerSettings = Pick<
	CoreSettings,
	"speakerFolder" | "threads" | "verify"
>;

const none = new Float32Array(0);
const samplesPerMs = 16;
/** Between progress reports: often enough as a sign of life. */
const progressEveryMs = 30_000;

export class DiarizationWorker {
	readonly #port: InferencePort;
	readonly #models: Pick<Models, "createFileSegmenter">;
	readonly #decoder: ContainerDecoder;
	readonly #settings: SpeakerSettings;
	#model: Promise<SpeakerModel> | undefined;

	constructor(
		port: InferencePort,
		models: Pick<Models, "createFileSegmenter">,
		decoder: ContainerDecoder,
		settings: SpeakerSettings,
	) {
		this.#port = port;
		this.#models = models;
		this.#decoder = decoder;
		this.#settings = settings;
	}

	/** @returns the file's length, milliseconds. @throws CodedError 100003 if no speaker model can be used; also what reading the file throws. */
	async work(job: DiarizationJob, context: JobContext): Promise<number> {
		const { embedder, shape } = await this.#loaded();
		const localSpans = new LocalSpans();
		const speech = await this.#speechOf(job, context, shape, localSpans);
		const { regions, count } = job;
		const diarizer = new Diarizer(embedder, shape, regions, speech, localSpans);
		const samples = await this.#read(job, context, (chunk) =>
			diarizer.accept(chunk),
		);
		context.emit({ is: "voices", turns: await diarizer.finish(count) });
		return Math.round(samples / samplesPerMs);
	}

	/**
	 * The regions of speech, without pauses: the windows of voice embeddings must not span a pause.
	 * @param localSpans receives the spans that the second detector finds.
	 */
	async #speechOf(
		job: DiarizationJob,
		context: JobContext,
		{ pauseSeconds }: SpeakerShape,
		localSpans: LocalSpans,
	): Promise<Region[]> {
		const segmenter = this.#models.createFileSegmenter(
			filePassageRules(),
			(span) => localSpans.add(span),
		);
		const speech: Region[] = [];
		const keep = (events: readonly SegmentEvent[]) => {
			for (const event of events)
				if (event.is === "end")
					speech.push(...speechRegionsOf(event.segment, pauseSeconds));
		};
		// a tenth of the work: emitted as a sign of life, with no progress yet
		const begun: JobContext = {
			signal: context.signal,
			emit: () => context.emit({ is: "progress", audioMs: 0 }),
		};
		await this.#read(job, begun, async (chunk) =>
			keep(await segmenter.accept(chunk)),
		);
		keep(await segmenter.finish());
		return speech;
	}

	/** Reads the whole file once. @returns the number of samples. */
	async #read(
		{ source }: DiarizationJob,
		{ emit, signal }: JobContext,
		accept: (samples: Float32Array) => Promise<void>,
	): Promise<number> {
		let samplesSeen = 0;
		let reportedMs = 0;
		const audio = channelsOf(source, this.#decoder, signal);
		for await (const [samples = none] of audio) {
			signal.throwIfAborted();
			await accept(samples);
			samplesSeen += samples.length;
			const audioMs = Math.floor(samplesSeen / samplesPerMs);
			if (audioMs < reportedMs + progressEveryMs) continue;
			reportedMs = audioMs;
			emit({ is: "progress", audioMs });
		}
		signal.throwIfAborted();
		return samplesSeen;
	}

	async close(): Promise<void> {
		const model = await this.#model?.catch(() => undefined);
		this.#model = undefined;
		await model?.embedder.close();
	}

	/** A package that can't be loaded now may be there the next time. */
	async #loaded(): Promise<SpeakerModel> {
		this.#model ??= loadModel(this.#port, this.#settings);
		try {
			return await this.#model;
		} catch (error) {
			this.#model = undefined;
			if (!(error instanceof PackageError)) throw error;
			throw new CodedError(
				"100003",
				`speaker diarization is not available on this device: ${error.message}`,
			);
		}
	}
}

async function loadModel(
	port: InferencePort,
	{ speakerFolder, threads, verify }: SpeakerSettings,
): Promise<SpeakerModel> {
	const opened = await loadPackage(speakerFolder);
	const { kind, speaker: shape } = opened.manifest;
	if (kind !== "campplus" || !shape)
		throw new PackageError(
			`${speakerFolder} is a ${kind} package, not campplus`,
		);
	if (verify) await verifyPackage(opened);
	const path = opened.path("campplus.onnx");
	const embedder = await openCampplus(port, { path, ...shape }, { threads });
	return { embedder, shape };
}
