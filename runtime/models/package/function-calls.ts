/**
 * Limits the expansion of functions that call each other: ONNX Runtime inlines them, so that twenty short functions, each calling the previous one
 * ten times, become a graph that fits in no memory.
 */
import { PackageError } from "./model-package.js";

export interface FunctionName {
	readonly name: string;
	readonly domain: string;
	readonly overload: string;
}

interface Body {
	/** Number of nodes that are not calls. */
	nodes: number;
	readonly calls: Map<string, number>;
	/** Number of nodes with all calls inlined; "open" while it is being counted. */
	size?: number | "open";
}

/** With all calls of a file inlined. Our own largest graph has a few thousand. */
const nodesMax = 10_000_000;
/** Nesting of calls. */
const depthMax = 100;

export class FunctionCalls {
	readonly #file: string;
	readonly #functions = new Map<string, Body>();
	readonly #graph: Body = { nodes: 0, calls: new Map() };
	#current = this.#graph;

	/** @param file for messages. */
	constructor(file: string) {
		this.#file = file;
	}

	add(name: FunctionName): void {
		this.#functions.set(keyOf(name), { nodes: 0, calls: new Map() });
	}

	/** Attributes the following calls to this function; undefined: to the graph. */
	enter(name: FunctionName | undefined): void {
		this.#current = (name && this.#functions.get(keyOf(name))) ?? this.#graph;
	}

	/** @returns whether the node calls a function of the file. */
	call(name: FunctionName): boolean {
		const key = keyOf(name);
		if (!this.#functions.has(key)) {
			this.#current.nodes++;
			return false;
		}
		const { calls } = this.#current;
		calls.set(key, (calls.get(key) ?? 0) + 1);
		return true;
	}

	/** @throws PackageError */
	check(): void {
		for (const body of [this.#graph, ...this.#functions.values()])
			if (this.#sizeOf(body, 0) > nodesMax)
				throw new PackageError(
					`${this.#file}: its functions expand to more than ${nodesMax} operators`,
				);
	}

	#sizeOf(body: Body, depth: number): number {
		if (typeof body.size === "number") return body.size;
		if (body.size === "open" || depth > depthMax)
			throw new PackageError(
				`${this.#file}: its functions call each other endlessly`,
			);
		body.size = "open";
		let size = body.nodes;
		for (const [key, times] of body.calls) {
			const called = this.#functions.get(key) as Body;
			size += times * this.#sizeOf(called, depth + 1);
		}
		body.size = size;
		return size;
	}
}

function keyOf({ name, domain, overload }: FunctionName): string {
	return JSON.stringify([domain, name, overload]);
}
