/**
 * The inference port: what the rooms ask of an engine for ONNX graphs. `drivers/onnx` implements it; tests may fake it.
 */
export type TensorType = "float32" | "int32" | "int64" | "bool";

export type TensorData = Float32Array | Int32Array | BigInt64Array | Uint8Array;

/** A dense row-major tensor. A tensor made from an array shares its memory. */
export interface Tensor {
	readonly type: TensorType;
	readonly dims: readonly number[];
	/** The values; reading them may copy from the device. Not to be read after `dispose`. */
	readonly data: TensorData;
	/** The values into memory that is there already: many large arrays in a row keep the garbage collector busy. @param values float32, as many as there are. */
	copyTo(values: Float32Array): void;
	/** Gives the memory back now: what a run returned is invisible to the garbage collector. Idempotent. */
	dispose(): void;
}

/** A dimension that varies is its name. */
export interface InputShape {
	readonly name: string;
	readonly type: string;
	readonly dims: readonly (number | string)[];
}

/** What computes a graph: with the library that comes along, or with a vendor's (`custom:` and its path). */
export type Processor =
	| "cpu"
	| "webgpu"
	| "cuda"
	| "tensorrt"
	| `custom:${string}`;

/** `auto`: what answers soonest of those that answer rightly. */
export type WantedProcessor = Processor | "auto";

export interface RefusedProcessor {
	readonly processor: Processor;
	readonly why: string;
}

/** Which processor a session was given, and why not another. */
export interface ProcessorChoice {
	readonly graph: string;
	readonly used: Processor;
	readonly refused: readonly RefusedProcessor[];
}

/**
 * A processor is only trusted with a graph after it answered as the CPU does: the same sums in another order, or in fewer bits, are never quite the same,
 * and a broken driver gives other ones without an error.
 */
export interface ProcessorProbe {
	/** Runs the graph on inputs that are always the same. @returns the values to be compared; all tensors are given back. */
	answers(
		port: InferencePort,
		session: InferenceSession,
	): Promise<Float32Array>;
	/** Largest difference from the CPU's answer, as a part of the CPU's largest value. */
	readonly toleranceMax: number;
}

export interface InferenceSession {
	/** Absent where there was no choice. */
	readonly choice?: ProcessorChoice;
	readonly inputNames: readonly string[];
	/** The same with their types and shapes. */
	readonly inputs: readonly InputShape[];
	readonly outputNames: readonly string[];
	/**
	 * Runs the graph. Blocks this process's event loop while it runs.
	 * @param feeds what the graph has no input for is left out.
	 * @param fetches the outputs wanted; the caller disposes each.
	 * @throws when a shape or type does not fit the graph.
	 */
	run(
		feeds: Readonly<Record<string, Tensor>>,
		fetches: readonly string[],
	): Promise<Record<string, Tensor>>;
	close(): Promise<void>;
}

export interface InferenceOptions {
	/** Threads inside one operator; 0: as many as there are cores. */
	readonly threads: number;
	/** Another processor than the CPU may be used. */
	readonly processor?: {
		readonly wanted: WantedProcessor;
		readonly probe: ProcessorProbe;
	};
}

export interface InferencePort {
	/** @param path of an .onnx file. @throws when it can't be read, is no valid graph, or needs operators that are not here. */
	open(path: string, options: InferenceOptions): Promise<InferenceSession>;
	tensor(type: TensorType, data: TensorData, dims: readonly number[]): Tensor;
}
