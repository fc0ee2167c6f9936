/**
 * The models of one engine, loaded: which package is read how.
 */
import { dirname, join } from "node:path";
import type { InferencePort } from "../../models/inference-port.js";
import type { ModelKind } from "../../models/manifest.js";
import {
	loadPackage,
	type ModelPackage,
	PackageError,
} from "../../models/package/model-package.js";
import { verifyPackage } from "../../models/package/verify.js";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import { openSilero } from "../../models/silero/detector.js";
import {
	endpointRules,
	filePassageRules,
	passageRules,
} from "../../segmentation/rules.js";
import { SpeechSegmenter } from "../../segmentation/speech-segmenter.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { EngineSettings } from "../protocol.js";
import { OnItsWay } from "./on-its-way.js";
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
	/** For recordings: see filePassageRules. */
	createFileSegmenter(): SpeechSegmenter;
	/** The recognizer waits for it. */
	readonly onItsWay: OnItsWay;
	close(): Promise<void>;
}

type ModelSettings = Pick<
	EngineSettings,
	"modelFolder" | "voiceActivityFolder" | "threads" | "processor" | "verify"
>;

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
	const onItsWay = new OnItsWay();
	const gate = new RunGate(onItsWay);
	const recognizer = await openRecognizer(gate.behind(port), speech, settings);
	const silero = await openSilero(
		gate.first(port),
		voice.path("silero_vad.onnx"),
	);
	return {
		recognizer,
		probe: await probeOf(speech),
		createSegmenter: (options) =>
			new SpeechSegmenter(silero.createDetector(), rulesFor(options)),
		createFileSegmenter: () =>
			new SpeechSegmenter(silero.createDetector(), filePassageRules()),
		onItsWay,
		close: async () => {
			await recognizer.close();
			await silero.close();
		},
	};
}

/** A further copy of the recognizer alone. @throws PackageError */
export async function loadRecognizer(
	port: InferencePort,
	settings: Omit<ModelSettings, "voiceActivityFolder">,
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
	kind: ModelKind,
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
