/**
 * A models folder with the published model as the second ear `ear` beside the embedded packages. Its lexicon takes seconds to make, so the package is kept
 * in the build for as long as the code that makes it is the same.
 */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { installFolder } from "../../runtime/models/package/install.js";
import { madeOnce } from "../fixtures/made-once.js";
import { realModel } from "../published/cases.js";

const embedded = ["whisper-base", "silero-vad", "segmentation-3.0"];
const makers = [
	"models/package",
	"models/second-ear",
	"search/lattice",
	"text/zh",
].map((it) => join("build/runtime", it));

/** @returns the folder; nothing may be written into its packages. */
export function jointModels(): Promise<string> {
	const of = ["package-lock.json", ...makers];
	return madeOnce({ name: "second-ear-models", of }, async (folder) => {
		for (const name of embedded)
			symlinkSync(resolve("models", name), join(folder, name));
		await installFolder(realModel, {
			directory: folder,
			name: "ear",
			kind: "second-ear",
		});
	});
}
