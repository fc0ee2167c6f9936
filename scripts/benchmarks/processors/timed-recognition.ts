/** A recognizer on one processor, in this process: how long it takes for a clip, and what it recognizes. */

import { openPackaged } from "../../../drivers/onnx/packaged.js";
import { type OnnxSettings, openOnnx } from "../../../drivers/onnx/session.js";
import { loadRecognizer } from "../../../runtime/engine/child/models.js";
import type {
	InferencePort,
	WantedProcessor,
} from "../../../runtime/models/inference-port.js";
import type { SpeechRecognizer } from "../../../runtime/models/recognizer.js";
import type { Language } from "../../../runtime/text/languages.js";
import { type Clip, langTypes } from "../clips.js";
import { readWav } from "../wav.js";

export interface TimedRecognition {
	readonly text: string;
	readonly milliseconds: number;
	/** Processor time of all threads: with one thread, other programs hardly change it. */
	readonly processorMs: number;
}

export interface NamedRecognizer {
	readonly name: string;
	readonly recognizer: SpeechRecognizer;
}

const beam = 5;
const fullScale = 32768;

/** As it was before: through the npm package. */
export async function openRecognizerOfPackage(
	name: string,
	modelFolder: string,
	threads: number,
): Promise<NamedRecognizer> {
	const port: InferencePort = {
		...openOnnx(),
		open: (path, options) => openPackaged(path, options, "cpu"),
	};
	const recognizer = await loadRecognizer(port, {
		modelFolder,
		threads,
		processor: "cpu",
		verify: false,
	});
	return { name, recognizer };
}

/** @throws where a graph would be computed by something else than what is asked for: nothing else is to be measured. */
export async function openRecognizer(
	name: string,
	modelFolder: string,
	processor: WantedProcessor,
	threads: number,
	onnx: OnnxSettings = {},
): Promise<NamedRecognizer> {
	const recognizer = await loadRecognizer(openOnnx(onnx), {
		modelFolder,
		threads,
		processor,
		verify: false,
	});
	for (const { graph, used, refused } of recognizer.processors ?? [])
		if (used !== processor)
			throw new Error(
				`${name}: ${graph} runs on ${used}: ${refused.map(({ why }) => why).join("; ")}`,
			);
	return { name, recognizer };
}

export async function recognizeClip(
	{ recognizer }: NamedRecognizer,
	clip: Clip,
): Promise<TimedRecognition> {
	const samples = Float32Array.from(readWav(clip.path), (it) => it / fullScale);
	const since = performance.now();
	const before = process.cpuUsage();
	const result = await recognizer.recognize({
		samples,
		language: langTypes[clip.language] as Language,
		beam,
		punctuation: true,
		words: false,
	});
	const milliseconds = performance.now() - since;
	if (result === "cancelled") throw new Error("nobody cancelled");
	const { user, system } = process.cpuUsage(before);
	return {
		text: result.text,
		milliseconds,
		processorMs: (user + system) / 1000,
	};
}
