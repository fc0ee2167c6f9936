/** A graph with the library's operators, and with our kernels of every level that this processor has, each with one thread and with three. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { levelsHere } from "../../drivers/onnx/capi/levels.js";
import { openCustomLibrary } from "../../drivers/onnx/capi/session.js";
import { stockLibraryPath } from "../../drivers/onnx/capi/stock-library.js";
import { HostTensor } from "../../drivers/onnx/host-tensor.js";
import { sessionEntries } from "../../drivers/onnx/session-entries.js";
import type { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import type { KernelLevel } from "../../runtime/models/inference-port.js";
import type { Random } from "../fuzz/random.js";
import { writtenGraph } from "./small-graph.js";

export type Feeds = Record<string, HostTensor>;

type Way = readonly [kernels: KernelLevel, threads: number];

export const levels = levelsHere();

const allWays: readonly Way[] = [
	["none", 1],
	...levels.flatMap((level): Way[] => [
		[level, 1],
		[level, 3],
	]),
];

export class Ways {
	readonly #folder: string;
	#files = 0;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** @returns each output for each of them. */
	async run(
		graph: Pick<GraphBuilder, "build">,
		feeds: Feeds,
		ways = allWays,
	): Promise<Float32Array[][]> {
		const name = `${this.#files++}.onnx`;
		const path = await writtenGraph(this.#folder, name, graph.build());
		const given: Float32Array[][] = [];
		for (const way of ways) given.push(await runOnce(path, feeds, way));
		rmSync(path);
		return given;
	}

	/** @throws the error of our kernel. */
	own(
		graph: Pick<GraphBuilder, "build">,
		feeds: Feeds,
	): Promise<Float32Array[][]> {
		return this.run(graph, feeds, [["auto", 1]]);
	}
}

async function runOnce(
	path: string,
	feeds: Feeds,
	[kernels, threads]: Way,
): Promise<Float32Array[]> {
	const session = openCustomLibrary(stockLibraryPath(), path, {
		threads,
		kernels,
		// as appliances have them: without, only threads that another session left so take denormals for zeros
		entries: sessionEntries,
		providers: [],
	});
	try {
		const outputs = await session.run(feeds, session.outputNames);
		const values = session.outputNames.map((it) =>
			Float32Array.from(
				(outputs[it]?.data ?? []) as Float32Array,
				normalOrZero,
			),
		);
		for (const it of Object.values(outputs)) it.dispose();
		return values;
	} finally {
		await session.close();
	}
}

/**
 * Whether denormals are zeros is a setting of each thread, and sessions of other tests may have changed this one's. In the tail of GELU a denormal is
 * multiplied, so what comes of one is a little larger than they are.
 */
function normalOrZero(value: number): number {
	return Math.abs(value) < 1e-30 ? 0 : value;
}

/**
 * Largest difference by the largest value; NaN where one is not finite and the other is.
 * @param usual of the values that are compared: few of them, or those that an activation flattens, may all be near zero by chance
 */
export function apart(
	given: Float32Array,
	expected: Float32Array,
	usual = 0,
): number {
	if (given.length !== expected.length) return Number.NaN;
	let largest = Math.max(usual, 1e-6);
	let off = 0;
	given.forEach((value, i) => {
		const wanted = expected[i] as number;
		largest = Math.max(largest, Math.abs(wanted));
		off = Math.max(off, Math.abs(value - wanted));
	});
	return off / largest;
}

export function assertAlike(
	[library = [], ...ours]: readonly Float32Array[][],
	tolerance: number,
	usual?: number,
): void {
	for (const [at, level] of levels.entries()) {
		const [own = [], threaded = []] = ours.slice(2 * at);
		for (const [i, expected] of library.entries()) {
			const off = apart(own[i] as Float32Array, expected, usual);
			assert.ok(
				off <= tolerance,
				`${level}: output ${i} is ${off.toExponential(1)} apart`,
			);
			assert.deepEqual(threaded[i], own[i], "threads change nothing");
		}
	}
}

export function floats(random: Random, count: number, scale = 1): Float32Array {
	return Float32Array.from({ length: count }, () => scale * (random() - 0.5));
}

/**
 * Weights [outputs, columns], each output's largest 0.5. Without VNNI the library adds two products of bytes in 16 bits, where those of large weights beside each
 * other saturate, and its answer is wrong. So here none do; kernel-check.c compares all weights with plain C.
 */
export function layerWeights(
	random: Random,
	outputs: number,
	columns: number,
): Float32Array {
	const pairMax = 0.49;
	const weights = floats(random, outputs * columns);
	for (let i = 0; i < weights.length; i += 2) {
		if (i % columns === 0) weights.set([0.5, 0], i);
		const room = Math.max(pairMax - Math.abs(weights[i] as number), 0);
		const second = weights[i + 1] as number;
		weights[i + 1] = Math.max(-room, Math.min(second, room));
	}
	return weights;
}

export function tensor(values: Float32Array, ...dims: number[]): HostTensor {
	return new HostTensor("float32", values, dims);
}
