/** Tensors in a library's memory, and their release: immediately after `dispose`, otherwise after garbage collection. */
import {
	elementCount,
	type LikeliestOfRows,
	type Tensor,
	type TensorData,
	type TensorType,
	tokensOfRowMax,
	type WantedRows,
} from "../../../runtime/models/inference-port.js";
import {
	allSummed,
	type Handle,
	likeliestRows,
	noneSummed,
	readTensor,
	releaseTensors,
} from "./library.js";

/** ONNX's numbers of element types (TensorProto.DataType). */
export const typeNumbers: Readonly<Record<TensorType, number>> = {
	float32: 1,
	int32: 6,
	int64: 7,
	bool: 9,
};
export const typeNames = new Map(
	Object.entries(typeNumbers).map(([name, number]) => [number, name]),
);
export const arrays = {
	float32: Float32Array,
	int32: Int32Array,
	int64: BigInt64Array,
	bool: Uint8Array,
} as const;

let lastStamp = 0;

/** Of values that do not change, so that those that are on a device already are not copied there again: no two have the same, wherever they lie. */
export function nextStamp(): number {
	return ++lastStamp;
}

/** An output of a run: in the library's memory, or the device's, until it is read. */
export class CustomTensor implements Tensor {
	readonly stamp = nextStamp();
	readonly #releases: Releases;
	#handle: Handle;
	#data: TensorData | undefined;

	constructor(
		releases: Releases,
		handle: Handle,
		readonly type: TensorType,
		readonly dims: readonly number[],
	) {
		this.#releases = releases;
		this.#handle = handle;
		releases.forgotten.register(this, handle, this);
	}

	get runtime(): Handle {
		return this.#releases.runtime;
	}

	/** @throws Error after `dispose` */
	get handle(): Handle {
		if (this.#handle === 0n) throw new Error("the tensor was disposed");
		return this.#handle;
	}

	get data(): TensorData {
		if (this.#data) return this.#data;
		if (!arrays[this.type])
			throw new TypeError("the tensor's element type is not supported");
		const data = new arrays[this.type](elementCount(this.dims));
		readTensor(this.runtime, this.handle, data);
		this.#data = data;
		return data;
	}

	copyTo(values: Float32Array): void {
		readTensor(this.runtime, this.handle, values);
	}

	likeliestOfRows({
		first,
		count,
		most = 1,
		unsummed = allSummed,
		summed = true,
	}: WantedRows): LikeliestOfRows {
		const width = this.dims.at(-1) ?? 0;
		const rows = elementCount(this.dims.slice(0, -1));
		if (!(first >= 0 && count >= 0 && first + count <= rows))
			throw new RangeError(`rows ${first} to ${first + count} of ${rows}`);
		// the library has the same limit: EARSHOT_ORT_LIKELIEST_MAX
		if (!(most >= 1 && most <= Math.min(width, tokensOfRowMax)))
			throw new RangeError(`the ${most} likeliest of ${width}`);
		const found = count * most;
		const into = new ArrayBuffer(4 * (2 * found + count));
		const areFinite = likeliestRows(
			this.runtime,
			this.handle,
			[width, first, count, most, summed ? unsummed : noneSummed],
			new Uint8Array(into),
		);
		return {
			tokens: new Int32Array(into, 0, found),
			scores: new Float32Array(into, 4 * found, found),
			logSums: new Float32Array(into, 8 * found, count),
			areFinite,
		};
	}

	dispose(): void {
		if (this.#handle === 0n) return;
		this.#releases.forgotten.unregister(this);
		this.#releases.add(this.#handle);
		this.#handle = 0n;
		this.#data = undefined;
	}
}

/** A small output of a run: its values were copied by the run, and it holds nothing of the library. */
export class CopiedTensor implements Tensor {
	#data: TensorData | undefined;

	constructor(
		readonly type: TensorType,
		data: TensorData,
		readonly dims: readonly number[],
	) {
		this.#data = data;
	}

	/** @throws Error after `dispose` */
	get data(): TensorData {
		if (!this.#data) throw new Error("the tensor was disposed");
		return this.#data;
	}

	/** @throws Error if the sizes differ */
	copyTo(values: Float32Array): void {
		const { data } = this;
		if (data.length !== values.length)
			throw new Error(`${data.length} values do not take ${values.length}`);
		values.set(data as Float32Array);
	}

	dispose(): void {
		this.#data = undefined;
	}
}

/** Releases tensors together, at the end of the turn in which they were disposed: each call costs microseconds, and a decoder's step disposes a dozen. */
export class Releases {
	#waiting: Handle[] = [];
	/** Tensors that were never disposed. */
	readonly forgotten = new FinalizationRegistry<Handle>((it) => this.add(it));

	constructor(readonly runtime: Handle) {}

	add(handle: Handle): void {
		if (this.#waiting.length === 0) queueMicrotask(() => this.flush());
		this.#waiting.push(handle);
	}

	flush(): void {
		if (this.#waiting.length === 0) return;
		releaseTensors(this.runtime, BigInt64Array.from(this.#waiting));
		this.#waiting = [];
	}
}
