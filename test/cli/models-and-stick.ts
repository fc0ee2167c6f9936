/** A models folder and a USB stick with models as they are published. */
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import { modelDir } from "../engine/real-lane.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";
import { earshot } from "./earshot.js";

export const clip = "test/clips/en-librivox-0880.wav";

export const earshotAt = (models: string, ...words: string[]) =>
	earshot(words, { EARSHOT_MODEL_DIR: models });

/** A models folder with only voice activity, and a stick with published models. */
export function modelsAndStick(t: Test) {
	const folder = t.testdir({ models: {}, stick: {} });
	const models = join(folder, "models");
	const stick = join(folder, "stick");
	if (existsSync(join(modelDir, "silero-vad")))
		cpSync(join(modelDir, "silero-vad"), join(models, "silero-vad"), {
			recursive: true,
		});
	const zipformer = join(stick, "sherpa-onnx-streaming-zipformer");
	writeTinyZipformer(zipformer, zipformer2States(), 6);
	return { models, stick, zipformer };
}
