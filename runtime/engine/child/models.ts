/**
 * The models of one engine, loaded: which package is read how.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { InferencePort } from "../../models/inference-port.js";
import type { Manifest } from "../../models/manifest.js";
import type { Language, SpeechRecognizer } from "../../models/recognizer.js";
import { openSilero } from "../../models/silero/detector.js";
import { openWhisper } from "../../models/whisper/recognizer.js";
import { SpeechSegmenter } from "../../segmentation/speech-segmenter.js";
import type { SessionSegmenter } from "../../session/recognition.js";
import type { EngineSettings } from "../protocol.js";

/** A clip and the words that a sound recognizer hears in it. */
export interface Probe {
	readonly path: string;
	readonly language: string;
	readonly words: readonly string[];
}

export interface Models {
	readonly recognizer: SpeechRecognizer;
	readonly probe: Probe;
	createSegmenter(maxSentenceSilenceMs: number): SessionSegmenter;
	close(): Promise<void>;
}

type ModelSettings = Pick<
	EngineSettings,
	"modelFolder" | "voiceActivityFolder" | "threads" | "verify"
>;

/** @throws when a package is damaged, or is not for this. */
export async function loadModels(
	port: InferencePort,
	settings: ModelSettings,
): Promise<Models> {
	const { modelFolder, voiceActivityFolder, threads } = settings;
	const manifest = await readManifest(modelFolder);
	const { whisper, probe } = manifest;
	if (!whisper || !probe) throw new Error("no whisper package");
	const recognizer = await openWhisper(
		port,
		{
			name: manifest.name,
			languages: manifest.languages as Language[],
			shape: whisper,
			encoderPath: join(modelFolder, "encoder.onnx"),
			decoderPath: join(modelFolder, "decoder.onnx"),
			ranks: await readFile(join(modelFolder, "tokens.tiktoken"), "utf8"),
		},
		{ threads },
	);
	const silero = await openSilero(
		port,
		join(voiceActivityFolder, "silero_vad.onnx"),
	);
	return {
		recognizer,
		probe: { ...probe, path: join(modelFolder, probe.file) },
		createSegmenter: (silenceMs) =>
			new SpeechSegmenter(silero.createDetector(), silenceMs),
		close: async () => {
			await recognizer.close();
			await silero.close();
		},
	};
}

async function readManifest(folder: string): Promise<Manifest> {
	return JSON.parse(await readFile(join(folder, "model.json"), "utf8"));
}
