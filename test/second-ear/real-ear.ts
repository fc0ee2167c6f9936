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

let encoder: Uint8Array | undefined;

export async function openReal(
	tokens = readFileSync(`${realModel}/tokens.txt`, "utf8"),
) {
	const { files, shapes } = await readPublishedModel(realModel);
	if (!shapes.zipformer) throw new Error("another kind");
	const rewritten = secondEar.published?.rewritten?.["encoder.onnx"];
	encoder ??= await rewritten?.(files["encoder.onnx"] ?? "");
	if (!encoder) throw new Error("the encoder was not rewritten");
	const folder = mkdtempSync(join(tmpdir(), "earshot-ear-"));
	const encoderPath = join(folder, "encoder.onnx");
	writeFileSync(encoderPath, encoder);
	try {
		return await openSecondEar(
			openOnnx(),
			{
				name: "ear",
				languages: ["zh-cmn-Hans-CN"],
				weights: jointWeights,
				shape: shapes.zipformer,
				encoderPath,
				decoderPath: files["decoder.onnx"] ?? "",
				joinerPath: files["joiner.onnx"] ?? "",
				tokens,
			},
			{ threads: 1 },
		);
	} finally {
		rmSync(folder, { recursive: true });
	}
}
