/** Opens published models for tests, and runs them. */

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { openOnnx } from "../../drivers/onnx/session.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import { openSenseVoice } from "../../runtime/models/sense-voice/recognizer.js";
import { openZipformer } from "../../runtime/models/zipformer/recognizer.js";
import type { Language } from "../../runtime/text/languages.js";
import { readWav } from "../whisper/packages.js";
import type { Case } from "./cases.js";

export const language: Language = "zh-cmn-Hans-CN";

export function caseOf(cases: readonly Case[], name: string): Case {
	const found = cases.find((it) => it.name === name);
	if (!found) throw new Error(`${name} is missing`);
	return found;
}

export async function open(
	{ folder, name }: Case,
	port: InferencePort = openOnnx(),
): Promise<SpeechRecognizer> {
	const { files, shapes, languages } = await readPublishedModel(folder);
	const shared = {
		name,
		languages: languages as Language[],
		tokens: readFileSync(files["tokens.txt"] ?? "", "utf8"),
	};
	const path = (file: string) => files[file] ?? "";
	if (shapes.zipformer)
		return openZipformer(
			port,
			{
				...shared,
				shape: shapes.zipformer,
				encoderPath: path("encoder.onnx"),
				decoderPath: path("decoder.onnx"),
				joinerPath: path("joiner.onnx"),
			},
			{ threads: 1 },
		);
	if (shapes.senseVoice)
		return openSenseVoice(
			port,
			{ ...shared, shape: shapes.senseVoice, modelPath: path("model.onnx") },
			{ threads: 1 },
		);
	throw new Error(`${name} is of another kind`);
}

export async function transcribe(
	recognizer: SpeechRecognizer,
	request: Partial<SegmentRequest> & Pick<SegmentRequest, "samples">,
): Promise<Hypothesis> {
	const found = await recognizer.recognize({
		language,
		beam: 4,
		punctuation: true,
		words: false,
		...request,
	});
	if (found === "cancelled") throw new Error("cancelled");
	return found;
}

export function clipOf(one: Case, name: string): Float32Array {
	return readWav(one.clips.find((it) => basename(it) === name) ?? name);
}
