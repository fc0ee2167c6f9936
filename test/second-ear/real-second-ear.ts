/** The published model as a second ear, as `models add` installs it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOnnx } from "../../drivers/onnx/session.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { secondEar } from "../../runtime/models/second-ear/kind.js";
import { openSecondEar } from "../../runtime/models/second-ear/syllable-recognizer.js";
import { jointWeights } from "../../runtime/search/lattice/joint-score.js";
import { realModel } from "../published/cases.js";

/** Graphs that are rewritten when the model is installed, by file. */
const rewritten = new Map<string, Uint8Array>();

export async function openReal(
	tokens = readFileSync(`${realModel}/tokens.txt`, "utf8"),
) {
	const { files, shapes } = await readPublishedModel(realModel);
	if (!shapes.zipformer) throw new Error("another kind");
	const folder = mkdtempSync(join(tmpdir(), "earshot-ear-"));
	const pathOf = async (file: string) => {
		const made =
			rewritten.get(file) ??
			(await secondEar.published?.rewritten?.[file]?.(files[file] ?? ""));
		if (!made) throw new Error(`${file} was not rewritten`);
		rewritten.set(file, made);
		const path = join(folder, file);
		writeFileSync(path, made);
		return path;
	};
	try {
		return await openSecondEar(
			openOnnx(),
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
	} finally {
		rmSync(folder, { recursive: true });
	}
}
