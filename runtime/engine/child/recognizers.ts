/**
 * Which kind of package is opened how: a new kind is a folder under `models/` and a line here.
 */
import assert from "node:assert";
import { readFile } from "node:fs/promises";
import type {
	InferencePort,
	WantedProcessor,
} from "../../models/inference-port.js";
import { type SpeechKind, speechKinds } from "../../models/manifest.js";
import type { ModelPackage } from "../../models/package/model-package.js";
import type { Language, SpeechRecognizer } from "../../models/recognizer.js";
import { openSenseVoice } from "../../models/sense-voice/recognizer.js";
import { openWhisper } from "../../models/whisper/recognizer.js";
import { openZipformer } from "../../models/zipformer/recognizer.js";
import { languages } from "../../session/languages.js";

interface Opening {
	readonly port: InferencePort;
	readonly opened: ModelPackage;
	readonly name: string;
	readonly languages: readonly Language[];
	readonly threads: number;
	/** Only of whisper's graphs it is known what they must answer: other kinds run on the CPU. */
	readonly processor: WantedProcessor;
}

const openings: Readonly<
	Record<SpeechKind, (opening: Opening) => Promise<SpeechRecognizer>>
> = { whisper: whisperOf, zipformer: zipformerOf, "sense-voice": senseVoiceOf };

export function isSpeechPackage({ manifest }: ModelPackage): boolean {
	const kinds: readonly string[] = speechKinds;
	return kinds.includes(manifest.kind);
}

/** @param opened a package that `isSpeechPackage`. */
export async function openRecognizer(
	port: InferencePort,
	opened: ModelPackage,
	{
		threads,
		processor,
	}: {
		readonly threads: number;
		readonly processor: WantedProcessor;
	},
): Promise<SpeechRecognizer> {
	assert(isSpeechPackage(opened));
	const { manifest } = opened;
	return openings[manifest.kind as SpeechKind]({
		port,
		opened,
		name: manifest.name,
		languages: languages.filter((it) => manifest.languages.includes(it)),
		threads,
		processor: processor === "auto" && isForCpus(opened) ? "cpu" : processor,
	});
}

/** Integer weights are multiplied by kernels that only CPUs have; other processors want floats (`models convert --quantize fp16`). */
function isForCpus({ manifest: { quantization = "" } }: ModelPackage): boolean {
	return quantization.startsWith("int");
}

async function whisperOf(opening: Opening): Promise<SpeechRecognizer> {
	const { port, opened, name, threads, processor } = opening;
	const { whisper } = opened.manifest;
	assert(whisper, "loadPackage lets no whisper package without shapes pass");
	const source = {
		name,
		languages: opening.languages,
		shape: whisper,
		encoderPath: opened.path("encoder.onnx"),
		decoderPath: opened.path("decoder.onnx"),
		ranks: await readFile(opened.path("tokens.tiktoken"), "utf8"),
	};
	return openWhisper(port, source, { threads, processor });
}

async function zipformerOf(opening: Opening): Promise<SpeechRecognizer> {
	const { port, opened, name, threads } = opening;
	const { zipformer } = opened.manifest;
	assert(zipformer, "loadPackage lets no zipformer without shapes pass");
	const source = {
		name,
		languages: opening.languages,
		shape: zipformer,
		encoderPath: opened.path("encoder.onnx"),
		decoderPath: opened.path("decoder.onnx"),
		joinerPath: opened.path("joiner.onnx"),
		tokens: await readFile(opened.path("tokens.txt"), "utf8"),
	};
	return openZipformer(port, source, { threads });
}

async function senseVoiceOf(opening: Opening): Promise<SpeechRecognizer> {
	const { port, opened, name, threads } = opening;
	const { senseVoice } = opened.manifest;
	assert(senseVoice, "loadPackage lets no sense-voice without shapes pass");
	const source = {
		name,
		languages: opening.languages,
		shape: senseVoice,
		modelPath: opened.path("model.onnx"),
		tokens: await readFile(opened.path("tokens.txt"), "utf8"),
	};
	return openSenseVoice(port, source, { threads });
}
