/**
 * A models folder whose recognizer is a tiny SenseVoice, for appliances of which a test does not read the text: everything is as with the real model, only
 * starts and recognitions take a tenth of the time. What it writes means nothing and is always the same.
 */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { installFolder } from "../../runtime/models/package/install.js";
import { madeOnce } from "../fixtures/made-once.js";
import { writeTinySenseVoice } from "../published/tiny-sense-voice.js";

const name = "tiny";
const beside = ["silero-vad", "segmentation-3.0", "campplus-zh-en"];
const makers = [
	"runtime/models/package",
	"runtime/models/convert",
	"test/published",
].map((it) => join("build", it));

/** @returns the environment of an appliance that uses it. */
export async function tinyModel() {
	return { EARSHOT_MODEL_DIR: await tinyModels(), EARSHOT_MODEL_NAME: name };
}

/** @returns settings of a configuration that uses it. */
export async function tinyModelSettings(): Promise<string[]> {
	return [`model.dir=${await tinyModels()}`, `model.name=${name}`];
}

async function tinyModels(): Promise<string> {
	const made = { name: "tiny-model", of: [import.meta.filename, ...makers] };
	return madeOnce(made, async (folder) => {
		for (const name of beside)
			symlinkSync(resolve("models", name), join(folder, name));
		const published = join(folder, "published");
		writeTinySenseVoice(published, 7);
		const path = resolve("models/whisper-base/probe.wav");
		const probe = { path, language: "en-US", words: ["a"] };
		await installFolder(published, { directory: folder, name, probe });
	});
}
