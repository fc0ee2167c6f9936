/**
 * Gives our kernels inputs that do not fit together, as a damaged or foreign package might. Run as a program, so that it may crash, and under AddressSanitizer:
 * `odd-shapes.js SEED COUNT`; its last line says how many were refused and how many computed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HostTensor } from "../../drivers/onnx/host-tensor.js";
import type { Graph } from "../../runtime/models/convert/onnx-format.js";
import { below, pick, type Random, randomOf } from "../fuzz/random.js";
import { built, someCase } from "./kernels.property.js";
import { type Feeds, floats, Ways } from "./ways.js";

const rankMax = 6;
const valuesMax = 1 << 16;

async function tryShapes(random: Random, ways: Ways): Promise<boolean> {
	const { graph, feeds } = built(someCase(random));
	const plain = graph.build();
	const odd = withOdd(feeds, random);
	const model =
		below(random, 4) === 0 ? withOddConstants(plain, random) : plain;
	try {
		await ways.own({ build: () => ofAnyShape(model, odd) }, odd);
		return true;
	} catch {
		return false;
	}
}

/** One or two inputs of another shape; now and then all are as they should be. */
function withOdd(feeds: Feeds, random: Random): Feeds {
	const names = Object.keys(feeds);
	const changed = new Set(
		Array.from({ length: below(random, 3) }, () => pick(random, names)),
	);
	return Object.fromEntries(
		Object.entries(feeds).map(([name, it]) => [
			name,
			changed.has(name) ? oddTensor(it, random) : it,
		]),
	);
}

function oddTensor(usual: HostTensor, random: Random): HostTensor {
	const { type } = usual;
	const dims = oddDims(usual.dims, random);
	const count = dims.reduce((all, dim) => all * dim, 1);
	if (count > valuesMax) return usual;
	if (type !== "int32")
		return new HostTensor("float32", floats(random, count), dims);
	const values = Array.from({ length: count }, () => below(random, 9) - 3);
	return new HostTensor(type, Int32Array.from(values), dims);
}

function oddDims(dims: readonly number[], random: Random): number[] {
	const odd = [...dims];
	const at = below(random, odd.length + 1);
	const some = pick(random, [0, 1, 2, 3, 63, 64, 65, 128]);
	const change = below(random, 5);
	if (change === 0 && odd.length < rankMax) odd.splice(at, 0, some);
	else if (change === 1) odd.splice(at, 1);
	else if (change === 2 && at < odd.length) odd[at] = some;
	else if (change === 3 && at < odd.length)
		odd[at] = Math.max(0, (odd[at] as number) + pick(random, [-1, 1]));
	else odd.reverse();
	return odd;
}

/** The same bytes in another order of dimensions, as a layer's weights, scales and bias. */
function withOddConstants(graph: Graph, random: Random): Graph {
	const chosen = below(random, graph.initializers.length + 1);
	return {
		...graph,
		initializers: graph.initializers.map((it, i) =>
			i === chosen ? { ...it, dims: reshaped(it.dims, random) } : it,
		),
	};
}

function reshaped(dims: readonly number[], random: Random): number[] {
	const count = dims.reduce((all, dim) => all * dim, 1);
	return pick(random, [
		[count],
		[1, ...dims],
		[...dims].reverse(),
		[count, 1, 1, 1],
	]);
}

/** The graph does not say what shapes it wants: else the library would refuse them before the kernels see them. */
function ofAnyShape(graph: Graph, feeds: Feeds): Graph {
	return {
		...graph,
		inputs: graph.inputs.map((it) => ({
			...it,
			dims: (feeds[it.name]?.dims ?? []).map((_, i) => `${it.name}${i}`),
		})),
		outputs: graph.outputs.map((it) => ({
			...it,
			dims: it.dims.map((_, i) => `${it.name}${i}`),
		})),
	};
}

const [seed = 1, count = 1] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "earshot-odd-"));
const random = randomOf(seed);
const ways = new Ways(folder);
let computed = 0;
for (let i = 0; i < count; i++) if (await tryShapes(random, ways)) computed++;
rmSync(folder, { recursive: true });
console.log(`${count - computed} refused, ${computed} computed`);
