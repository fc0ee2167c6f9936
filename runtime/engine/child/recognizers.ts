/**
 * Opens a package's speech recognizer with the parameters of its kind (models/kinds.ts).
 */
import assert from "node:assert";
import { readFile } from "node:fs/promises";
import type {
	InferencePort,
	WantedProcessor,
} from "../../models/inference-port.js";
import { modelKindOf } from "../../models/kinds.js";
import type { ModelPackage } from "../../models/package/model-package.js";
import { storedConstants } from "../../models/package/stored-constants.js";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type { RefinerOptions } from "../../models/refinement.js";
import { languages } from "../../text/languages.js";

/** Smaller ones are too many lines for what they save. */
const sharedBytesMin = 64 * 1024;

export function isSpeechPackage({ manifest }: ModelPackage): boolean {
	return modelKindOf(manifest.kind).open !== undefined;
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
	refiner?: RefinerOptions,
): Promise<SpeechRecognizer> {
	const { manifest, path } = opened;
	const { open, shape } = modelKindOf(manifest.kind);
	assert(open && shape, "only called for speech packages");
	return open({
		port,
		name: manifest.name,
		languages: languages.filter((it) => manifest.languages.includes(it)),
		shape: manifest[shape.key as keyof typeof manifest],
		path,
		has: (file) => file in manifest.files,
		text: (file) => readFile(path(file), "utf8"),
		constants: async (file) => ({
			file: path(file),
			constants: await storedConstants(path(file), sharedBytesMin),
		}),
		threads,
		processor: processor === "auto" && isForCpus(opened) ? "cpu" : processor,
		...(refiner && { refiner }),
	});
}

/** Only CPUs have kernels for integer weights; other processors need floats (`models convert --compute fp16`). */
function isForCpus({ manifest: { quantization = "" } }: ModelPackage): boolean {
	return quantization.startsWith("int");
}
