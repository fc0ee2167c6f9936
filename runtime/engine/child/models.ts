/**
 * Loads the models of one engine from their packages.
 */
import { existsSync } from "node:fs";
import type { InferencePort } from "../../models/inference-port.js";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import { openSilero } from "../../models/silero/detector.js";
import {
	type OnSpan,
	SegmentationDetector,
} from "../../models/speech-segmentation/detector.js";
import {
	openSegmentation,
	type SegmentationModel,
} from "../../models/speech-segmentation/network.js";
import type { SecondEar } from "../../models/syllable-recognizer.js";
import { MixedDetector } from "../../segmentation/mixed-detector.js";
import {
	type EndpointRules,
	endpointRules,
	passageRules,
} from "../../segmentation/rules.js";
import { SpeechSegmenter } from "../../segmentation/speech-segmenter.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { EngineSettings } from "../protocol.js";
import { LanguageModels } from "./language-models.js";
import {
	type SpeechReports,
	withLanguageModels,
} from "./open-language-models.js";
import { PendingSends } from "./pending-sends.js";
import { type Probe, probeOf } from "./probe.js";
import { RunGate } from "./run-gate.js";
import { openPackage, openSpeech } from "./speech.js";

/** The options that determine where segments end. */
export type SegmentOptions = Pick<
	RecognitionOptions,
	"oneText" | "maxSentenceSilenceMs" | "dynamicBreak"
>;

export interface Models {
	readonly recognizer: SpeechRecognizer;
	/** Undefined if none is configured, or if the recognizer does not serve its language. */
	readonly secondEar: SecondEar | undefined;
	/** Those for single languages; absent where none is configured. */
	readonly languageModels?: LanguageModels;
	/** Undefined if no clip is installed. */
	readonly probe: Probe | undefined;
	createSegmenter(options: SegmentOptions): SpeechSegmenter;
	/** For recordings. @param rules see filePassageRules. @param onSpan receives the spans with their speakers; not called without a second detector. */
	createFileSegmenter(rules: EndpointRules, onSpan?: OnSpan): SpeechSegmenter;
	/** The recognizer waits until these are sent. */
	readonly pendingSends: PendingSends;
	close(): Promise<void>;
}

type ModelSettings = Pick<
	EngineSettings,
	| "modelFolder"
	| "languageFolders"
	| "voiceActivityFolder"
	| "segmentationFolder"
	| "secondEarFolder"
	| "threads"
	| "processor"
	| "verify"
>;

/**
 * Weight of the second detector for recordings. Measured on meetings with distant speakers, on noise and on short clips: alone it finds more speech and takes
 * noise for speech; with this weight it finds the speech that Silero doubts (docs/models.md).
 */
const segmentationShare = 0.4;

/** @throws PackageError when a package is damaged or of the wrong kind. */
export async function loadModels(
	port: InferencePort,
	settings: ModelSettings,
	reports?: SpeechReports,
): Promise<Models> {
	const voice = await openPackage(
		settings.voiceActivityFolder,
		"silero-vad",
		settings,
	);
	const pendingSends = new PendingSends();
	const gate = new RunGate(pendingSends);
	const speech = await openSpeech(gate.behind(port), settings, reports);
	const recognizer = await withLanguageModels(
		speech.recognizer,
		gate.behind(port),
		settings,
		reports,
	);
	const silero = await openSilero(
		gate.first(port),
		voice.path("silero_vad.onnx"),
	);
	const segmentation = await openSecondDetector(gate.first(port), settings);
	const createFileDetector = (onSpan?: OnSpan) =>
		segmentation
			? new MixedDetector(
					silero.createDetector(),
					new SegmentationDetector(segmentation, onSpan),
					segmentationShare,
				)
			: silero.createDetector();
	return {
		recognizer,
		...(recognizer instanceof LanguageModels && {
			languageModels: recognizer,
		}),
		secondEar: speech.secondEar,
		probe: await probeOf(speech.opened),
		createSegmenter: (options) =>
			new SpeechSegmenter(silero.createDetector(), rulesFor(options)),
		createFileSegmenter: (rules, onSpan) =>
			new SpeechSegmenter(createFileDetector(onSpan), rules),
		pendingSends,
		close: async () => {
			if (recognizer !== speech.recognizer) await recognizer.close();
			await speech.close();
			await silero.close();
			await segmentation?.close();
		},
	};
}

/** Loads only the recognizer, as a further copy. @throws PackageError */
export async function loadRecognizer(
	port: InferencePort,
	settings: Omit<ModelSettings, "voiceActivityFolder" | "segmentationFolder">,
	reports?: SpeechReports,
): Promise<SpeechRecognizer> {
	const { recognizer } = await openSpeech(port, settings, reports);
	return withLanguageModels(recognizer, port, settings, reports);
}

export function rulesFor(options: SegmentOptions) {
	const { oneText, maxSentenceSilenceMs, dynamicBreak } = options;
	return oneText
		? passageRules()
		: endpointRules(maxSentenceSilenceMs, dynamicBreak);
}

/** @returns undefined if none is wanted or installed: recordings are then segmented like streams. */
async function openSecondDetector(
	port: InferencePort,
	settings: Pick<ModelSettings, "segmentationFolder" | "verify">,
): Promise<SegmentationModel | undefined> {
	const folder = settings.segmentationFolder;
	if (!folder || !existsSync(folder)) return undefined;
	const opened = await openPackage(folder, "speech-segmentation", settings);
	return openSegmentation(port, opened.path("segmentation.onnx"));
}
