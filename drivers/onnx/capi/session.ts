/**
 * A graph in an ONNX Runtime, the included one or a vendor's, behind the inference port. A run is one call: its outputs stay in the library's memory until
 * they are read, so tensors that are only passed from one run to the next (a decoder's past) are never copied.
 *
 * `run` waits for a turn of the event loop and then blocks it for the whole inference: it is used in engine processes only.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type {
	InferenceSession,
	InputShape,
	Tensor,
	TensorType,
} from "../../../runtime/models/inference-port.js";
import {
	closeGraph,
	describeGraph,
	type Handle,
	loadRuntime,
	makeTensor,
	openGraph,
	outputWords,
	releaseTensors,
	runGraph,
} from "./library.js";
import { type CustomOptions, optionsText } from "./session-options.js";
import { CustomTensor, Releases, typeNames, typeNumbers } from "./tensor.js";

/** Loaded libraries, by path: a library stays in the process. */
const runtimes = new Map<string, Handle>();

/** @throws Error with the loader's or the library's message */
export function loadLibrary(path: string): Handle {
	const runtime = runtimes.get(path) ?? loadRuntime(path);
	runtimes.set(path, runtime);
	return runtime;
}

/** @param library its path. @throws Error with the loader's or the library's message */
export function openCustomLibrary(
	library: string,
	graph: string,
	options: CustomOptions,
): InferenceSession {
	const runtime = loadLibrary(library);
	const session = new CustomSession(
		new Releases(runtime),
		graph,
		optionsText(options),
	);
	const { inputs, inputNames, outputNames } = session;
	// a plain object, because callers copy it with a spread
	return {
		inputs,
		inputNames,
		outputNames,
		run: (feeds, fetches) => session.run(feeds, fetches),
		close: () => session.close(),
	};
}

class CustomSession {
	readonly inputs: readonly InputShape[];
	readonly inputNames: readonly string[];
	readonly outputNames: readonly string[];
	readonly #runtime: Handle;
	/** Zero after `close`. */
	#session: Handle;
	readonly #releases: Releases;
	readonly #inputNumbers: ReadonlyMap<string, bigint>;
	readonly #outputNumbers: ReadonlyMap<string, bigint>;
	readonly #request: BigInt64Array;

	constructor(releases: Releases, path: string, options: string) {
		this.#releases = releases;
		this.#runtime = releases.runtime;
		this.#session = openGraph(this.#runtime, path, options);
		const ends = describeGraph(this.#session).trimEnd().split("\n");
		this.inputs = ends.flatMap((line) => endOf(line, "in"));
		this.inputNames = this.inputs.map(({ name }) => name);
		this.outputNames = ends
			.flatMap((line) => endOf(line, "out"))
			.map(({ name }) => name);
		this.#inputNumbers = numbered(this.inputNames);
		this.#outputNumbers = numbered(this.outputNames);
		this.#request = new BigInt64Array(
			2 + 2 * this.inputNames.length + outputWords * this.outputNames.length,
		);
	}

	async run(
		feeds: Readonly<Record<string, Tensor>>,
		fetches: readonly string[],
	): Promise<Record<string, Tensor>> {
		// many steps in a row must not starve other work of the event loop
		await nextTurn();
		if (this.#session === 0n) throw new Error("the graph is closed");
		this.#releases.flush();
		const words = this.#request;
		const names = Object.keys(feeds).filter((it) => this.#inputNumbers.has(it));
		const made: Handle[] = [];
		try {
			words[0] = BigInt(names.length);
			words[1] = BigInt(fetches.length);
			let at = 2;
			for (const name of names) {
				words[at++] = numberOf(this.#inputNumbers, name, "input");
				words[at++] = this.#handleOf(feeds[name] as Tensor, made);
			}
			const outputsAt = at;
			for (const [i, name] of fetches.entries())
				words[outputsAt + i * outputWords] = numberOf(
					this.#outputNumbers,
					name,
					"output",
				);
			runGraph(this.#session, words);
			return Object.fromEntries(
				fetches.map((name, i) => [
					name,
					this.#taken(outputsAt + i * outputWords),
				]),
			);
		} finally {
			if (made.length > 0)
				releaseTensors(this.#runtime, BigInt64Array.from(made));
		}
	}

	async close(): Promise<void> {
		this.#releases.flush();
		if (this.#session !== 0n) closeGraph(this.#session);
		this.#session = 0n;
	}

	/** @param made handles created for this run only; a new one is added. */
	#handleOf(tensor: Tensor, made: Handle[]): Handle {
		if (tensor instanceof CustomTensor && tensor.runtime === this.#runtime)
			return tensor.handle;
		const { type, data, dims } = tensor;
		const shape = BigInt64Array.from(dims, BigInt);
		const handle = makeTensor(this.#runtime, typeNumbers[type], data, shape);
		made.push(handle);
		return handle;
	}

	/** @param at index of the output's words. */
	#taken(at: number): Tensor {
		const words = this.#request;
		const type = typeNames.get(Number(words[at + 2]));
		const rank = Number(words[at + 3]);
		const dims = Array.from(words.subarray(at + 4, at + 4 + rank), Number);
		const handle = words[at + 1] as Handle;
		return new CustomTensor(this.#releases, handle, type as TensorType, dims);
	}
}

function endOf(line: string, side: "in" | "out"): InputShape[] {
	const [found, name = "", type, dims = ""] = line.split("\t");
	if (found !== side) return [];
	const isTensor = type !== "0";
	return [
		{
			name,
			type: isTensor
				? (typeNames.get(Number(type)) ?? `type ${type}`)
				: "not a tensor",
			dims: dims === "" ? [] : dims.split(",").map(dimension),
		},
	];
}

function dimension(written: string): number | string {
	return /^-?\d+$/.test(written) ? Number(written) : written;
}

function numbered(names: readonly string[]): ReadonlyMap<string, bigint> {
	return new Map(names.map((name, i) => [name, BigInt(i)]));
}

function numberOf(
	numbers: ReadonlyMap<string, bigint>,
	name: string,
	what: string,
): bigint {
	const number = numbers.get(name);
	if (number === undefined) throw new Error(`the graph has no ${what} ${name}`);
	return number;
}
