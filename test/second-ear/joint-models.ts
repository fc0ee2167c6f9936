/**
 * A models folder with the published model as the second ear `ear` beside the embedded packages. Its lexicon takes seconds to make, so the package is kept
 * in the build for as long as the code that makes it is the same.
 */
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { installFolder } from "../../runtime/models/package/install.js";
import { realModel } from "../published/cases.js";

const embedded = ["whisper-base", "silero-vad", "segmentation-3.0"];
const makers = [
	"models/package",
	"models/second-ear",
	"search/lattice",
	"text/zh",
].map((it) => join("build/runtime", it));

/** @returns the folder; nothing may be written into its packages. */
export async function jointModels(): Promise<string> {
	const kept = resolve("build/second-ear-models", fingerprint());
	if (existsSync(kept)) return kept;
	mkdirSync(resolve(kept, ".."), { recursive: true });
	const made = mkdtempSync(`${kept}-`);
	for (const name of embedded)
		symlinkSync(resolve("models", name), join(made, name));
	await installFolder(realModel, {
		directory: made,
		name: "ear",
		kind: "second-ear",
	});
	try {
		renameSync(made, kept);
	} catch (error) {
		// another test was faster
		if (!existsSync(kept)) throw error;
		rmSync(made, { recursive: true });
	}
	return kept;
}

function fingerprint(): string {
	const hash = createHash("sha256");
	hash.update(readFileSync("package-lock.json"));
	for (const folder of makers)
		for (const name of readdirSync(folder).sort())
			if (name.endsWith(".js")) hash.update(readFileSync(join(folder, name)));
	return hash.digest("hex").slice(0, 16);
}
