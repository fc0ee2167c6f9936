/**
 * The inference port: the interface to a runtime for ONNX graphs. `drivers/onnx` implements it; tests may fake it.
 */
import type { FilterbankPort } from "../features/filterbank-port.js";

export type TensorType = "float32" | "int32" | "int64" | "bool";

export type TensorData = Float32Array | Int32Array | BigInt64Array | Uint8Array;

/** A dense row-major tensor. A tensor made from an array shares its memory. */
export interface Tensor {
	readonly type: TensorType;
	readonly dims: readonly number[];
	/** Its values do not change: a device may keep its copy from one run to the next. */
	readonly isConstant?: boolean;
	/** The values; reading them may copy from the device. Must not be read after `dispose`. */
	readonly data: TensorData;
	/** Copies the values into existing memory: allocating many large arrays keeps the garbage collector busy. @param values float32, of the tensor's size. */
	copyTo(values: Float32Array): void;
	/** Searches rows of scores where they are; absent where they would have to be copied for it. @throws Error when it has no such rows */
	likeliestOfRows?(rows: WantedRows): LikeliestOfRows;
	/** Releases the memory now: the garbage collector does not see the outputs of a run. Idempotent. */
	dispose(): void;
}

/** Number of values of a tensor of this shape. */
export function elementCount(dims: readonly number[]): number {
	return dims.reduce((product, dim) => product * dim, 1);
}

/** Of a row that is searched where it is. */
export const tokensOfRowMax = 32;

/** Rows of a float32 tensor, whose last dimension is their width. */
export interface WantedRows {
	readonly first: number;
	readonly count: number;
	/** Tokens of each row, at most `tokensOfRowMax`. Default: 1. */
	readonly most?: number;
	/** Whether the logarithms of sums are needed. Default: true. */
	readonly summed?: boolean;
	/** Rows with this likeliest token do not need them. */
	readonly unsummed?: number;
}

/** By row. */
export interface LikeliestOfRows {
	/** The likeliest tokens, best first; of equally likely ones the first before others. */
	readonly tokens: Int32Array;
	/** Their scores. */
	readonly scores: Float32Array;
	/** Natural logarithm of the sum of exp(score), within 1e-5; 0 where it was not needed. */
	readonly logSums: Float32Array;
	/** Whether the first and the last of the scores searched are finite. */
	readonly areFinite: boolean;
}

/** A dynamic dimension is represented by its name. */
export interface InputShape {
	readonly name: string;
	readonly type: string;
	readonly dims: readonly (number | string)[];
}

/** What computes a graph: with the included library, or with a vendor's (`custom:` and its path). */
export type Processor =
	| "cpu"
	| "webgpu"
	| "cuda"
	| "tensorrt"
	| `custom:${string}`;

/** `auto`: the fastest of those that compute correct results. */
export type WantedProcessor = Processor | "auto";

export interface RefusedProcessor {
	readonly processor: Processor;
	readonly why: string;
}

/** Which processor a session uses, and why others were refused. */
export interface ProcessorChoice {
	readonly graph: string;
	readonly used: Processor;
	readonly refused: readonly RefusedProcessor[];
}

/** The best set of instructions that the CPU's kernels of ours may use, and which of them (drivers/onnx/capi/kernels/levels.c); auto: the best it has. */
export type KernelLevel =
	| ("auto" | "none")
	| ("avx2" | "avx-vnni" | "avx512" | "avx512-bf16")
	| ("neon" | "dotprod" | "i8mm");

/** A compiled kernel that is better than the one used. */
export interface RefusedKernel {
	readonly instructions: string;
	readonly why: string;
	/** The processor says that it has the instructions, and failed with them. */
	readonly isFault: boolean;
}

/** Which of our kernels computes an operator on this CPU, and why no better one. */
export interface KernelChoice {
	readonly name: string;
	/** Undefined: the operators of ONNX Runtime compute it. */
	readonly instructions: string | undefined;
	readonly refused: readonly RefusedKernel[];
}

/**
 * A processor is only trusted with a graph after its results matched the CPU's: another order of summation or fewer bits change them slightly,
 * and a broken driver returns wrong results without an error.
 */
export interface ProcessorProbe {
	/** Runs the graph on fixed inputs. @returns the values to compare; all tensors are disposed. */
	answers(
		port: InferencePort,
		session: InferenceSession,
	): Promise<Float32Array>;
	/** Largest difference from the CPU's result, relative to the CPU's largest value. */
	readonly toleranceMax: number;
}

export interface InferenceSession {
	/** Absent where no other processor was requested. */
	readonly choice?: ProcessorChoice;
	readonly inputNames: readonly string[];
	/** Inputs with their types and shapes. */
	readonly inputs: readonly InputShape[];
	readonly outputNames: readonly string[];
	/**
	 * Runs the graph. Blocks this process's event loop while it runs.
	 * @param feeds entries for which the graph has no input are ignored.
	 * @param fetches names of the outputs to return; the caller disposes each.
	 * @param into tensors over arrays, by the names of outputs: values are written there, and the tensor is what is returned.
	 * @throws when a shape or type does not fit the graph.
	 */
	run(
		feeds: Readonly<Record<string, Tensor>>,
		fetches: readonly string[],
		into?: Readonly<Record<string, Tensor>>,
	): Promise<Record<string, Tensor>>;
	close(): Promise<void>;
}

/**
 * Where the operators of a run get memory. `planned`: all runs have the same shapes, so it is planned once, and kept. `pooled`: from a pool, which is given back
 * after the run. Measured: docs/benchmarks/kinds.md.
 */
export type RunMemory = "planned" | "pooled";

/** A constant of a graph, and where its values are in a file. */
export interface StoredConstant {
	readonly name: string;
	/** ONNX's number of its element type. */
	readonly type: number;
	readonly dims: readonly number[];
	readonly offset: number;
	readonly bytes: number;
}

/** What graphs have in common. */
export interface SharedConstants {
	/** Path of the file with the values. */
	readonly file: string;
	readonly constants: readonly StoredConstant[];
}

export interface InferenceOptions {
	/** Threads inside one operator; 0: one per core. */
	readonly threads: number;
	/** Of runs on the CPU. Default: each operator allocates what it needs and frees it at once. */
	readonly memory?: RunMemory;
	/** Constants that this process holds once for all graphs that are opened with them, on the CPU. Default: each graph has its own. */
	readonly shared?: SharedConstants | undefined;
	/** Allows a processor other than the CPU. */
	readonly processor?: {
		readonly wanted: WantedProcessor;
		readonly probe: ProcessorProbe;
	};
}

export interface InferencePort {
	/** @param path of an .onnx file. @throws when it can't be read, is not a valid graph, or needs operators that the runtime lacks. */
	open(path: string, options: InferenceOptions): Promise<InferenceSession>;
	/** @param isConstant see Tensor; default: the array may change between runs. */
	tensor(
		type: TensorType,
		data: TensorData,
		dims: readonly number[],
		isConstant?: boolean,
	): Tensor;
	/** What features are computed with; absent: in JavaScript. */
	readonly filterbank?: FilterbankPort | undefined;
}
