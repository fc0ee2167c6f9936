/** The published model as a second ear, as `models add` installs it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { secondEar } from "../../runtime/models/second-ear/kind.js";
import { openSecondEar } from "../../runtime/models/second-ear/syllable-recognizer.js";
import { jointWeights } from "../../runtime/search/lattice/joint-score.js";
import { realModel } from "../published/cases.js";
import { keptGraphs } from "../whisper/kept-graphs.js";

/** Graphs that are rewritten when the model is installed, by file. They are opened once, so their folder is the same, too. */
const rewritten = new Map<string, string>();
let folder: string | undefined;

export async function openReal(
	tokens = readFileSync(`${realModel}/tokens.txt`, "utf8"),
) {
	const { files, shapes } = await readPublishedModel(realModel);
	if (!shapes.zipformer) throw new Error("another kind");
	const pathOf = async (file: string) => {
		const path = rewritten.get(file) ?? (await rewrite(file, files[file]));
		rewritten.set(file, path);
		return path;
	};
	return openSecondEar(
		keptGraphs,
		{
			name: "ear",
			languages: ["zh-cmn-Hans-CN"],
			weights: jointWeights,
			shape: shapes.zipformer,
			encoderPath: await pathOf("encoder.onnx"),
			decoderPath: files["decoder.onnx"] ?? "",
			joinerPath: await pathOf("joiner.onnx"),
			tokens,
		},
		{ threads: 1 },
	);
}

async function rewrite(file: string, published = ""): Promise<string> {
	const made = await secondEar.published?.rewritten?.[file]?.(published);
	if (!made) throw new Error(`${file} was not rewritten`);
	const path = join(folderOfProcess(), file);
	writeFileSync(path, made);
	return path;
}

function folderOfProcess(): string {
	if (folder) return folder;
	const path = mkdtempSync(join(tmpdir(), "earshot-ear-"));
	process.once("exit", () => rmSync(path, { recursive: true }));
	folder = path;
	return path;
}
