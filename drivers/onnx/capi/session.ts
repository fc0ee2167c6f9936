/**
 * A graph in an ONNX Runtime, the included one or a vendor's, behind the inference port. A run is one call: large outputs stay in the library's memory
 * until they are read, so tensors that are only passed from one run to the next (a decoder's past) are never copied.
 *
 * `run` waits for a turn of the event loop and then blocks it for the whole inference: it is used in engine processes only.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type {
	InferenceSession,
	InputShape,
	Tensor,
} from "../../../runtime/models/inference-port.js";
import {
	closeGraph,
	describeGraph,
	type Handle,
	loadRuntime,
	openGraph,
} from "./library.js";
import { RunRequest } from "./run-request.js";
import { type CustomOptions, optionsText } from "./session-options.js";
import { Releases, typeNames } from "./tensor.js";

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
		run: (feeds, fetches, into) => session.run(feeds, fetches, into),
		close: () => session.close(),
	};
}

class CustomSession {
	readonly inputs: readonly InputShape[];
	readonly inputNames: readonly string[];
	readonly outputNames: readonly string[];
	/** Zero after `close`. */
	#session: Handle;
	readonly #releases: Releases;
	readonly #inputNumbers: ReadonlyMap<string, number>;
	readonly #outputNumbers: ReadonlyMap<string, number>;
	readonly #request: RunRequest;

	constructor(releases: Releases, path: string, options: string) {
		this.#releases = releases;
		this.#session = openGraph(releases.runtime, path, options);
		const ends = describeGraph(this.#session).trimEnd().split("\n");
		this.inputs = ends.flatMap((line) => endOf(line, "in"));
		this.inputNames = this.inputs.map(({ name }) => name);
		this.outputNames = ends
			.flatMap((line) => endOf(line, "out"))
			.map(({ name }) => name);
		this.#inputNumbers = numbered(this.inputNames);
		this.#outputNumbers = numbered(this.outputNames);
		this.#request = new RunRequest(
			releases,
			this.inputNames.length + this.outputNames.length,
		);
	}

	async run(
		feeds: Readonly<Record<string, Tensor>>,
		fetches: readonly string[],
		into: Readonly<Record<string, Tensor>> = {},
	): Promise<Record<string, Tensor>> {
		// many steps in a row must not starve other work of the event loop
		await nextTurn();
		if (this.#session === 0n) throw new Error("the graph is closed");
		this.#releases.flush();
		const request = this.#request;
		const names = Object.keys(feeds).filter((it) => this.#inputNumbers.has(it));
		request.begin(this.#session, names.length, fetches.length);
		for (const name of names)
			request.addInput(
				this.#inputNumbers.get(name) as number,
				feeds[name] as Tensor,
			);
		for (const name of fetches)
			request.addOutput(this.#outputNumber(name), into[name]);
		request.run();
		const found: Record<string, Tensor> = {};
		fetches.forEach((name, i) => {
			found[name] = into[name] ?? request.output(names.length, i);
		});
		return found;
	}

	async close(): Promise<void> {
		this.#releases.flush();
		if (this.#session !== 0n) closeGraph(this.#session);
		this.#session = 0n;
	}

	#outputNumber(name: string): number {
		const number = this.#outputNumbers.get(name);
		if (number === undefined)
			throw new Error(`the graph has no output ${name}`);
		return number;
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

function numbered(names: readonly string[]): ReadonlyMap<string, number> {
	return new Map(names.map((name, i) => [name, i]));
}
