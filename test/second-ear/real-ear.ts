/** The published model as a second ear. */
import { readFileSync } from "node:fs";
import { openOnnx } from "../../drivers/onnx/session.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { openSecondEar } from "../../runtime/models/second-ear/syllable-recognizer.js";
import { jointWeights } from "../../runtime/search/lattice/joint-score.js";
import { realModel } from "../published/cases.js";

export async function openReal(
	tokens = readFileSync(`${realModel}/tokens.txt`, "utf8"),
) {
	const { files, shapes } = await readPublishedModel(realModel);
	if (!shapes.zipformer) throw new Error("another kind");
	return openSecondEar(
		openOnnx(),
		{
			name: "ear",
			languages: ["zh-cmn-Hans-CN"],
			weights: jointWeights,
			shape: shapes.zipformer,
			encoderPath: files["encoder.onnx"] ?? "",
			decoderPath: files["decoder.onnx"] ?? "",
			joinerPath: files["joiner.onnx"] ?? "",
			tokens,
		},
		{ threads: 1 },
	);
}
