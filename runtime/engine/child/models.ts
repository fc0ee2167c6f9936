/**
 * The models of one engine, loaded: which package is read how.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InferencePort } from "../../models/inference-port.js";
import type { ModelKindName } from "../../models/kinds.js";
import {
	loadPackage,
	type ModelPackage,
	PackageError,
} from "../../models/package/model-package.js";
import { verifyPackage } from "../../models/package/verify.js";
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
import { MixedDetector } from "../../segmentation/mixed-detector.js";
import {
	endpointRules,
	filePassageRules,
	passageRules,
} from "../../segmentation/rules.js";
import { SpeechSegmenter } from "../../segmentation/speech-segmenter.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { EngineSettings } from "../protocol.js";
import { PendingSends } from "./pending-sends.js";
import { isSpeechPackage, openRecognizer } from "./recognizers.js";
import { RunGate } from "./run-gate.js";

/** A clip and the words that a sound recognizer hears in it. */
export interface Probe {
	readonly path: string;
	readonly language: string;
	readonly words: readonly string[];
}

/** What of a recognition's options says where its segments end. */
export type SegmentOptions = Pick<
	RecognitionOptions,
	"oneText" | "maxSentenceSilenceMs" | "dynamicBreak"
>;

export interface Models {
	readonly recognizer: SpeechRecognizer;
	/** Undefined where there is none that the model could hear. */
	readonly probe: Probe | undefined;
	createSegmenter(options: SegmentOptions): SpeechSegmenter;
	/** For recordings: see filePassageRules. @param onLook is told who speaks where; never, where no second detector is there. */
	createFileSegmenter(onLook?: OnSpan): SpeechSegmenter;
	/** The recognizer waits for it. */
	readonly pendingSends: PendingSends;
	close(): Promise<void>;
}

type ModelSettings = Pick<
	EngineSettings,
	| "modelFolder"
	| "voiceActivityFolder"
	| "segmentationFolder"
	| "threads"
	| "processor"
	| "verify"
>;

/**
 * What the second detector weighs for recordings. Measured on meetings with far talkers, on noise and on short clips: alone it hears more and takes noise for
 * speech; so much of it finds what Silero doubts (docs/models.md).
 */
const segmentationShare = 0.4;

/** The package whose clip stands in where a package brings none of its own. */
const embeddedModel = "whisper-base";

/** @throws PackageError when a package is damaged, or is not for this. */
export async function loadModels(
	port: InferencePort,
	settings: ModelSettings,
): Promise<Models> {
	const speech = await openSpeechPackage(settings);
	const voice = await openPackage(
		settings.voiceActivityFolder,
		"silero-vad",
		settings,
	);
	const pendingSends = new PendingSends();
	const gate = new RunGate(pendingSends);
	const recognizer = await openRecognizer(gate.behind(port), speech, settings);
	const silero = await openSilero(
		gate.first(port),
		voice.path("silero_vad.onnx"),
	);
	const segmentation = await openSecondDetector(gate.first(port), settings);
	const createFileDetector = (onLook?: OnSpan) =>
		segmentation
			? new MixedDetector(
					silero.createDetector(),
					new SegmentationDetector(segmentation, onLook),
					segmentationShare,
				)
			: silero.createDetector();
	return {
		recognizer,
		probe: await probeOf(speech),
		createSegmenter: (options) =>
			new SpeechSegmenter(silero.createDetector(), rulesFor(options)),
		createFileSegmenter: (onLook) =>
			new SpeechSegmenter(createFileDetector(onLook), filePassageRules()),
		pendingSends,
		close: async () => {
			await recognizer.close();
			await silero.close();
			await segmentation?.close();
		},
	};
}

/** A further copy of the recognizer alone. @throws PackageError */
export async function loadRecognizer(
	port: InferencePort,
	settings: Omit<ModelSettings, "voiceActivityFolder" | "segmentationFolder">,
): Promise<SpeechRecognizer> {
	const opened = await openSpeechPackage(settings);
	return openRecognizer(port, opened, settings);
}

export function rulesFor(options: SegmentOptions) {
	const { oneText, maxSentenceSilenceMs, dynamicBreak } = options;
	return oneText
		? passageRules()
		: endpointRules(maxSentenceSilenceMs, dynamicBreak);
}

async function openSpeechPackage(
	settings: Pick<ModelSettings, "modelFolder" | "verify">,
): Promise<ModelPackage> {
	const opened = await loadPackage(settings.modelFolder);
	if (!isSpeechPackage(opened))
		throw new PackageError(
			`${opened.folder} is a ${opened.manifest.kind} package: it recognises no speech`,
		);
	if (settings.verify) await verifyPackage(opened);
	return opened;
}

async function openPackage(
	folder: string,
	kind: ModelKindName,
	settings: Pick<ModelSettings, "verify">,
): Promise<ModelPackage> {
	const opened = await loadPackage(folder);
	if (opened.manifest.kind !== kind)
		throw new PackageError(
			`${folder} is a ${opened.manifest.kind} package, not ${kind}`,
		);
	if (settings.verify) await verifyPackage(opened);
	return opened;
}

/** @returns undefined where none is wanted, or none is there: then recordings are heard as streams are. */
async function openSecondDetector(
	port: InferencePort,
	settings: Pick<ModelSettings, "segmentationFolder" | "verify">,
): Promise<SegmentationModel | undefined> {
	const folder = settings.segmentationFolder;
	if (!folder || !existsSync(folder)) return undefined;
	const opened = await openPackage(folder, "speech-segmentation", settings);
	return openSegmentation(port, opened.path("segmentation.onnx"));
}

async function probeOf({
	folder,
	manifest,
	path,
}: ModelPackage): Promise<Probe | undefined> {
	if (manifest.probe)
		return { ...manifest.probe, path: path(manifest.probe.file) };
	const beside = join(dirname(folder), embeddedModel);
	if (beside === folder) return undefined;
	const embedded = await loadPackage(beside).catch(() => undefined);
	const probe = embedded?.manifest.probe;
	if (!embedded || !probe || !manifest.languages.includes(probe.language))
		return undefined;
	return { ...probe, path: embedded.path(probe.file) };
}
