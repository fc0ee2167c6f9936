/**
 * Speech and speakers of a recording, found as in a file that is transcribed (engine/child/models.ts): with the included models, in this process. What is speech is
 * our voice activity detection's, or the reference's.
 */
import { openOnnx } from "../../../drivers/onnx/session.js";
import {
	openCampplus,
	type VoiceEmbedder,
} from "../../../runtime/models/campplus/embedder.js";
import type { SpeakerShape } from "../../../runtime/models/campplus/shape.js";
import { loadPackage } from "../../../runtime/models/package/model-package.js";
import {
	openSilero,
	type SileroModel,
} from "../../../runtime/models/silero/detector.js";
import {
	type OnSpan,
	SegmentationDetector,
} from "../../../runtime/models/speech-segmentation/detector.js";
import {
	openSegmentation,
	type SegmentationModel,
} from "../../../runtime/models/speech-segmentation/network.js";
import { MixedDetector } from "../../../runtime/segmentation/mixed-detector.js";
import { filePassageRules } from "../../../runtime/segmentation/rules.js";
import { SpeechSegmenter } from "../../../runtime/segmentation/speech-segmenter.js";
import { Diarizer } from "../../../runtime/speakers/diarizer.js";
import { LocalSpans } from "../../../runtime/speakers/local-spans.js";
import { speechRegionsOf } from "../../../runtime/speakers/speech-regions.js";
import type { SpeakerTurn } from "../../../runtime/speakers/turns.js";
import {
	type Region,
	soundRegions,
} from "../../../runtime/speakers/windows.js";
import { toFloat } from "../wav.js";
import type { Recording } from "./dialogues.js";
import type { SpokenTurn } from "./diarization-error.js";

/** As a file is transcribed unless its caller asks for another. */
const sentenceSilenceSeconds = 0.8;

export interface DiarizationResult {
	readonly turns: readonly SpokenTurn[];
	readonly speakers: number;
	readonly seconds: number;
}

export interface Spoken {
	readonly regions: readonly Region[];
	/** Without the pauses. */
	readonly speech: readonly Region[];
	readonly spans: LocalSpans;
}

interface Models {
	readonly shape: SpeakerShape;
	readonly embedder: VoiceEmbedder;
	readonly silero: SileroModel;
	/** Undefined: no speech segmentation beside Silero. */
	readonly segmentation: SegmentationModel | undefined;
}

export class FileDiarization {
	readonly #models: Models;

	private constructor(models: Models) {
		this.#models = models;
	}

	/** @param alone without the speech segmentation beside Silero. */
	static async open(threads: number, alone: boolean): Promise<FileDiarization> {
		const port = openOnnx();
		const opened = await loadPackage("models/campplus-zh-en");
		const shape = opened.manifest.speaker as SpeakerShape;
		const path = opened.path("campplus.onnx");
		const embedder = await openCampplus(port, { path, ...shape }, { threads });
		const silero = await openSilero(port, "models/silero-vad/silero_vad.onnx");
		const segmentation = alone
			? undefined
			: await openSegmentation(
					port,
					"models/segmentation-3.0/segmentation.onnx",
				);
		return new FileDiarization({ shape, embedder, silero, segmentation });
	}

	/** As a transcription of the file finds it: sentences, and the spans between all pauses. */
	async detectedSpeech({ samples }: Recording): Promise<Spoken> {
		const spans = new LocalSpans();
		const detector = this.#createDetector((span) => spans.add(span));
		const segmenter = new SpeechSegmenter(detector, filePassageRules());
		const events = await segmenter.accept(toFloat(samples));
		events.push(...(await segmenter.finish()));
		const segments = events.flatMap((it) =>
			it.is === "end" ? [it.segment] : [],
		);
		const divided = (seconds: number) =>
			segments.flatMap((it) => speechRegionsOf(it, seconds));
		return {
			regions: divided(sentenceSilenceSeconds),
			speech: divided(this.#models.shape.pauseSeconds),
			spans,
		};
	}

	/** Where anybody speaks. */
	async trueSpeech(recording: Recording): Promise<Spoken> {
		const { turns } = recording;
		const { spans } = await this.detectedSpeech(recording);
		const regions = soundRegions(
			turns.map(({ startSeconds, endSeconds }) => ({
				startMs: startSeconds * 1000,
				endMs: endSeconds * 1000,
			})),
		);
		return { regions, speech: regions, spans };
	}

	/** @param count of speakers; 0: to be found. */
	async diarize(
		recording: Recording,
		{ regions, speech, spans }: Spoken,
		count: number,
	): Promise<DiarizationResult> {
		const { embedder, shape } = this.#models;
		const started = performance.now();
		const diarizer = new Diarizer(embedder, shape, regions, speech, spans);
		await diarizer.accept(toFloat(recording.samples));
		const turns = (await diarizer.finish(count)).flatMap((it) =>
			spokenParts(it, speech),
		);
		const seconds = (performance.now() - started) / 1000;
		return { turns, speakers: countSpeakers(turns), seconds };
	}

	async close(): Promise<void> {
		const { embedder, silero, segmentation } = this.#models;
		await embedder.close();
		await silero.close();
		await segmentation?.close();
	}

	#createDetector(onSpan: OnSpan) {
		const { silero, segmentation } = this.#models;
		if (!segmentation) return silero.createDetector();
		const second = new SegmentationDetector(segmentation, onSpan);
		return new MixedDetector(silero.createDetector(), second, 0.4);
	}
}

export function countSpeakers(turns: readonly SpokenTurn[]): number {
	return new Set(turns.map((it) => it.speaker)).size;
}

/** A turn without the pauses in it: words have times of their own, and in a pause there is none. */
function spokenParts(
	{ startMs, endMs, speaker }: SpeakerTurn,
	speech: readonly Region[],
): SpokenTurn[] {
	return speech.flatMap((it) => {
		const from = Math.max(startMs, it.startMs);
		const to = Math.min(endMs, it.endMs);
		return to > from
			? [
					{
						startSeconds: from / 1000,
						endSeconds: to / 1000,
						speaker: String(speaker),
					},
				]
			: [];
	});
}
