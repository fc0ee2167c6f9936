/**
 * The words of one run (earshot_ort_run): inputs by their handles or by where they lie in JavaScript's memory, outputs as the library returns them. Small inputs and
 * outputs pass through one piece of memory that all runs share, the room: what a decoder's step needs costs no call of its own.
 *
 * INVARIANT: addresses are of memory that `feeds` and `into` keep alive, used only during the call.
 */
import type {
	Tensor,
	TensorData,
	TensorType,
} from "../../../runtime/models/inference-port.js";
import {
	addressOf,
	endWords,
	type Handle,
	rankMax,
	requestWords,
	runGraph,
} from "./library.js";
import {
	arrays,
	CopiedTensor,
	CustomTensor,
	nextStamp,
	type Releases,
	typeNames,
	typeNumbers,
} from "./tensor.js";

/** Of the room: for inputs, and behind them for outputs. */
const inputBytes = 64 * 1024;
const outputBytes = 256 * 1024;
/** Larger inputs are read where they lie; larger outputs stay in the library's memory. */
const stagedBytesMax = 4096;
const copiedBytesMax = 32 * 1024;

interface Room {
	readonly buffer: ArrayBuffer;
	readonly address: number;
	readonly views: Readonly<Record<TensorType, TensorData>>;
}

let shared: Room | undefined;
/** Memory does not move, so the address of one that is used again is asked for once. */
const addresses = new WeakMap<ArrayBufferLike, number>();

/** Of constant tensors over arrays. */
const stamps = new WeakMap<Tensor, number>();

export class RunRequest {
	readonly #words: Float64Array;
	readonly #releases: Releases;
	readonly #room = theRoom();
	#at = requestWords;
	#staged = 0;

	/** @param ends inputs and outputs of the graph. */
	constructor(releases: Releases, ends: number) {
		this.#releases = releases;
		this.#words = new Float64Array(requestWords + endWords * ends);
	}

	begin(session: Handle, inputs: number, outputs: number): void {
		const words = this.#words;
		words[0] = Number(session);
		words[1] = inputs;
		words[2] = outputs;
		words[3] = this.#room.address + inputBytes;
		words[4] = outputBytes;
		words[5] = copiedBytesMax;
		this.#at = requestWords;
		this.#staged = 0;
	}

	/** @throws RangeError when the array's memory is gone or of another size than the shape. */
	addInput(number: number, tensor: Tensor): void {
		const isOwn =
			tensor instanceof CustomTensor &&
			tensor.runtime === this.#releases.runtime;
		if (isOwn) this.#add(number, Number(tensor.handle));
		else this.#addArray(number, tensor, true);
		this.#words[this.#at - 1] = isOwn ? tensor.stamp : stampOf(tensor);
	}

	/** @param into where its values are written; absent: the library makes it. */
	addOutput(number: number, into?: Tensor): void {
		if (into) this.#addArray(number, into, false);
		else this.#add(number, 0);
	}

	/** @throws Error with the library's message */
	run(): void {
		runGraph(this.#words);
	}

	/** @param place of the output among those of this run; of `inputs` inputs. */
	output(inputs: number, place: number): Tensor {
		const words = this.#words;
		const at = requestWords + (inputs + place) * endWords;
		const type = typeNames.get(words[at + 4] as number) as TensorType;
		const rank = words[at + 5] as number;
		const dims: number[] = [];
		for (let i = 0; i < rank; i++) dims.push(words[at + 6 + i] as number);
		const from = words[at + 2] as number;
		if (from < 0)
			return new CustomTensor(
				this.#releases,
				BigInt(words[at + 1] as number),
				type,
				dims,
			);
		const start = inputBytes + from;
		const bytes = words[at + 3] as number;
		const copy = this.#room.buffer.slice(start, start + bytes);
		return new CopiedTensor(type, new arrays[type](copy), dims);
	}

	#add(number: number, handle: number): void {
		const words = this.#words;
		words[this.#at] = number;
		words[this.#at + 1] = handle;
		words[this.#at + 2] = 0;
		this.#at += endWords;
	}

	#addArray(number: number, tensor: Tensor, mayStage: boolean): void {
		const { type, data, dims } = tensor;
		const words = this.#words;
		const at = this.#at;
		this.#add(number, 0);
		let size = 1;
		for (let i = 0; i < dims.length; i++) {
			if (i < rankMax) words[at + 6 + i] = dims[i] as number;
			size *= dims[i] as number;
		}
		if (size !== data.length)
			throw new RangeError(
				`a tensor of [${dims}] has ${size} elements, its array ${data.length}`,
			);
		words[at + 2] = mayStage ? this.#placeOf(type, data) : placed(data);
		words[at + 3] = data.byteLength;
		words[at + 4] = typeNumbers[type];
		words[at + 5] = dims.length;
	}

	#placeOf(type: TensorType, data: TensorData): number {
		const { byteLength } = data;
		const end = this.#staged + byteLength;
		if (byteLength > stagedBytesMax || end > inputBytes) return placed(data);
		const from = this.#staged;
		const view = this.#room.views[type] as Uint8Array;
		view.set(data as Uint8Array, from / view.BYTES_PER_ELEMENT);
		this.#staged = (end + 7) & ~7;
		return this.#room.address + from;
	}
}

/** @returns 0 where the values may change. */
function stampOf(tensor: Tensor): number {
	if (!tensor.isConstant) return 0;
	let stamp = stamps.get(tensor);
	if (stamp === undefined) {
		stamp = nextStamp();
		stamps.set(tensor, stamp);
	}
	return stamp;
}

function theRoom(): Room {
	shared ??= makeRoom();
	return shared;
}

function makeRoom(): Room {
	const buffer = new ArrayBuffer(inputBytes + outputBytes);
	return {
		buffer,
		address: addressOf(new Uint8Array(buffer)),
		views: {
			float32: new Float32Array(buffer),
			int32: new Int32Array(buffer),
			int64: new BigInt64Array(buffer),
			bool: new Uint8Array(buffer),
		},
	};
}

function placed(data: TensorData): number {
	const { buffer, byteOffset, byteLength } = data;
	if (byteLength === 0) return 0;
	let address = addresses.get(buffer);
	if (address === undefined) {
		address = addressOf(new Uint8Array(buffer));
		addresses.set(buffer, address);
	}
	return address + byteOffset;
}
