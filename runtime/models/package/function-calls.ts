/**
 * Functions of a file that call each other: ONNX Runtime writes them out where they are called, so that twenty short ones, each calling the one before it
 * ten times, are a graph that no memory holds.
 */
import { PackageError } from "./model-package.js";

export interface FunctionName {
	readonly name: string;
	readonly domain: string;
	readonly overload: string;
}

interface Body {
	/** Of the nodes that are no calls. */
	nodes: number;
	readonly calls: Map<string, number>;
	/** Nodes, calls written out; being counted while it is "open". */
	size?: number | "open";
}

/** All calls of a file written out. Our own largest graph has some thousand. */
const nodesMax = 10_000_000;
/** Of functions in functions. */
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

	/** What is called from here on is called by this function; undefined: by the graph. */
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
					`${this.#file}: its functions would be more than ${nodesMax} operators when they are written out`,
				);
	}

	#sizeOf(body: Body, depth: number): number {
		if (typeof body.size === "number") return body.size;
		if (body.size === "open" || depth > depthMax)
			throw new PackageError(
				`${this.#file}: its functions call each other without end`,
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
