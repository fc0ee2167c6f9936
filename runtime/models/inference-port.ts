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
	/** Gives the memory back now: what a run returned is invisible to the garbage collector. Idempotent. */
	dispose(): void;
}

/** A dimension that varies is its name. */
export interface InputShape {
	readonly name: string;
	readonly type: string;
	readonly dims: readonly (number | string)[];
}

export interface InferenceSession {
	readonly inputNames: readonly string[];
	/** The same with their types and shapes. */
	readonly inputs: readonly InputShape[];
	readonly outputNames: readonly string[];
	/**
	 * Runs the graph. Blocks this process's event loop while it runs.
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
}

export interface InferencePort {
	/** @param path of an .onnx file. @throws when it can't be read, is no valid graph, or needs operators that are not here. */
	open(path: string, options: InferenceOptions): Promise<InferenceSession>;
	tensor(type: TensorType, data: TensorData, dims: readonly number[]): Tensor;
}
