/** Graphs in ONNX Runtime's own format with altered bytes: they are refused with a sentence, or the runtime opens them or says why not. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import { checkOrtGraph } from "../../runtime/models/package/ort-check.js";
import type { Property } from "../fuzz/property.js";
import { below, pick } from "../fuzz/random.js";
import { writeOrt } from "../kinds/tiny/ort-format.js";
import { writeGraph } from "../published/tiny-graphs.js";

interface Case {
	/** At these positions, aligned or not, this value. */
	readonly hits: readonly (readonly [
		at: number,
		bytes: 1 | 4,
		value: number,
	])[];
}

/** One of each: an operator with attributes, weights, dynamic dimensions. */
async function written(folder: string): Promise<Buffer> {
	const graph = new GraphBuilder("small");
	const x = graph.input("x", "float32", ["rows", 4]);
	const weights = graph.floats("w", [4, 3], () => new Float32Array(12).fill(1));
	graph.op(
		"Softmax",
		[graph.op("MatMul", [x, weights])],
		{ axis: -1 },
		"scores",
	);
	graph.output("scores", "float32", ["rows", 3]);
	writeGraph(join(folder, "small.onnx"), graph.build(), {});
	await writeOrt(join(folder, "small.onnx"), join(folder, "small.ort"));
	return readFileSync(join(folder, "small.ort"));
}

export async function alteredGraphsAreRefused(
	t: Test,
): Promise<Property<Case>> {
	const folder = t.testdir({});
	const whole = await written(folder);
	const port = openOnnx();
	return {
		name: "models-package/ort-graph",
		promise:
			"a graph in ONNX Runtime's format of any bytes is refused or opened",
		draw(random) {
			const hits = Array.from({ length: 1 + below(random, 4) }, () => {
				const bytes = pick(random, [1, 4] as const);
				const at = below(random, whole.length - bytes + 1);
				const most = bytes === 1 ? 256 : pick(random, [300, 2 ** 32]);
				return [at, bytes, below(random, most)] as const;
			});
			return { hits };
		},
		async check({ hits }) {
			const altered = Buffer.from(whole);
			for (const [at, bytes, value] of hits)
				altered.writeUIntLE(value, at, bytes);
			const path = join(folder, "altered.ort");
			writeFileSync(path, altered);
			try {
				await checkOrtGraph(path);
			} catch (error) {
				assert.equal((error as Error).name, "PackageError");
				return "refused";
			}
			try {
				await (await port.open(path, { threads: 1 })).close();
				return "opened";
			} catch {
				return "not opened";
			}
		},
	};
}
