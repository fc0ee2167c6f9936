/**
 * The models of one engine, loaded: which package is read how.
 */
import assert from "node:assert";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { InferencePort } from "../../models/inference-port.js";
import type { Manifest } from "../../models/manifest.js";
import {
	loadPackage,
	type ModelPackage,
	PackageError,
} from "../../models/package/model-package.js";
import { verifyPackage } from "../../models/package/verify.js";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import { openSilero } from "../../models/silero/detector.js";
import { openWhisper } from "../../models/whisper/recognizer.js";
import {
	endpointRules,
	filePassageRules,
	passageRules,
} from "../../segmentation/rules.js";
import { SpeechSegmenter } from "../../segmentation/speech-segmenter.js";
import { languages } from "../../session/languages.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { EngineSettings } from "../protocol.js";
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
	readonly probe: Probe;
	createSegmenter(options: SegmentOptions): SpeechSegmenter;
	/** For recordings: see filePassageRules. */
	createFileSegmenter(): SpeechSegmenter;
	close(): Promise<void>;
}

type ModelSettings = Pick<
	EngineSettings,
	"modelFolder" | "voiceActivityFolder" | "threads" | "verify"
>;

/** The package whose clip stands in where a package brings none of its own. */
const embeddedModel = "whisper-base";

/** @throws PackageError when a package is damaged, or is not for this. */
export async function loadModels(
	port: InferencePort,
	settings: ModelSettings,
): Promise<Models> {
	const speech = await openPackage(settings.modelFolder, "whisper", settings);
	const voice = await openPackage(
		settings.voiceActivityFolder,
		"silero-vad",
		settings,
	);
	const gate = new RunGate();
	const recognizer = await openRecognizer(
		gate.behind(port),
		speech,
		settings.threads,
	);
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
		close: async () => {
			await recognizer.close();
			await silero.close();
		},
	};
}

export function rulesFor(options: SegmentOptions) {
	const { oneText, maxSentenceSilenceMs, dynamicBreak } = options;
	return oneText
		? passageRules()
		: endpointRules(maxSentenceSilenceMs, dynamicBreak);
}

async function openPackage(
	folder: string,
	kind: Manifest["kind"],
	settings: ModelSettings,
): Promise<ModelPackage> {
	const opened = await loadPackage(folder);
	if (opened.manifest.kind !== kind)
		throw new PackageError(
			`${folder} is a ${opened.manifest.kind} package, not ${kind}`,
		);
	if (settings.verify) await verifyPackage(opened);
	return opened;
}

async function openRecognizer(
	port: InferencePort,
	{ manifest, path }: ModelPackage,
	threads: number,
): Promise<SpeechRecognizer> {
	const { name, whisper } = manifest;
	assert(whisper, "loadPackage lets no whisper package without shapes pass");
	const source = {
		name,
		languages: languages.filter((it) => manifest.languages.includes(it)),
		shape: whisper,
		encoderPath: path("encoder.onnx"),
		decoderPath: path("decoder.onnx"),
		ranks: await readFile(path("tokens.tiktoken"), "utf8"),
	};
	return openWhisper(port, source, { threads });
}

async function probeOf(opened: ModelPackage): Promise<Probe> {
	const { probe } = opened.manifest;
	if (probe) return { ...probe, path: opened.path(probe.file) };
	const embedded = await loadPackage(
		join(dirname(opened.folder), embeddedModel),
	);
	if (embedded.folder === opened.folder || !embedded.manifest.probe)
		throw new PackageError(`${opened.folder}: there is no probe clip in it`);
	return probeOf(embedded);
}
