/**
 * Model packages that tests of the recognizer run on: the committed one, and the fp32 one if it is available (EARSHOT_TEST_WHISPER_FP32).
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import type { Manifest } from "../../runtime/models/manifest.js";
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import type { RefinerOptions } from "../../runtime/models/refinement.js";
import { openWhisper } from "../../runtime/models/whisper/recognizer.js";
import type { Language } from "../../runtime/text/languages.js";
import { keptGraphs } from "./kept-graphs.js";

export const modelDirectory =
	process.env.EARSHOT_TEST_WHISPER ?? "models/whisper-base";
export const fp32Directory = process.env.EARSHOT_TEST_WHISPER_FP32 ?? "";
export const sharedAudio = "../shared/audio";

/** The reason why a test that needs these paths is skipped, or false. */
export function missing(...paths: readonly string[]): string | false {
	for (const path of paths)
		if (path === "" || !existsSync(path))
			return `${path || "EARSHOT_TEST_WHISPER_FP32"} is missing`;
	return false;
}

export function readManifest(directory: string): Manifest {
	return JSON.parse(readFileSync(join(directory, "model.json"), "utf8"));
}

export function readRanks(directory: string): string {
	return readFileSync(join(directory, "tokens.tiktoken"), "utf8");
}

export function openRecognizer(
	directory: string,
	port: InferencePort = keptGraphs,
	refiner?: RefinerOptions,
	usesScorer = true,
): Promise<SpeechRecognizer> {
	const manifest = readManifest(directory);
	if (manifest.whisper === undefined) throw new Error("not a Whisper package");
	return openWhisper(
		port,
		{
			name: manifest.name,
			languages: manifest.languages as Language[],
			shape: manifest.whisper,
			encoderPath: join(directory, "encoder.onnx"),
			decoderPath: join(directory, "decoder.onnx"),
			scorerPath:
				usesScorer && hasScorer(manifest)
					? join(directory, "scorer.onnx")
					: undefined,
			ranks: readRanks(directory),
		},
		// a second one waits for the first a sixth of its time, and test files run two at a time
		{ threads: 1, ...(refiner && { refiner }) },
	);
}

function hasScorer({ files }: Manifest): boolean {
	return "scorer.onnx" in files;
}

/** Recognizes a segment without cancellation. */
export async function transcribe(
	recognizer: SpeechRecognizer,
	request: SegmentRequest,
): Promise<Hypothesis> {
	const hypothesis = await recognizer.recognize(request);
	if (hypothesis === "cancelled") throw new Error("cancelled");
	return hypothesis;
}

/** Samples of a 16-bit mono WAV at 16 kHz with a minimal header. */
export function readWav(path: string): Float32Array {
	const bytes = readFileSync(path);
	const at = bytes.indexOf("data") + 8;
	const samples = new Float32Array((bytes.length - at) >> 1);
	for (let i = 0; i < samples.length; i++)
		samples[i] = bytes.readInt16LE(at + 2 * i) / 32768;
	return samples;
}
