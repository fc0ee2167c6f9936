/**
 * Encoded segments of a batch, as the decoder reads them when it steps through several at once: one tensor per layer, with one place per segment, each as
 * long as the longest segment. A shorter segment is followed by stale values, which a bias masks. The memory is reused for the next
 * batch, if that begins soon: eight segments have 98 MB of Whisper base.
 */
import type { InferencePort, Tensor } from "../inference-port.js";
import { decoderNames, layerName } from "./graphs.js";
import type { WhisperShape } from "./shape.js";

/** `cross_k_i`, `cross_v_i` by name. */
export type CrossTensors = Readonly<Record<string, Tensor>>;

/** Longer than between the batches of a file, and shorter than the pause after which an engine gives its memory back (idle-memory.ts). */
const keptMsDefault = 10_000;

export class CrossAttentionCache {
	readonly #port: InferencePort;
	readonly #heads: number;
	readonly #headSize: number;
	/** Values of all places, by tensor name. */
	readonly #values = new Map<string, Float32Array>();
	/** Holds one segment whose rows are shorter than the cache's. */
	#scratch = new Float32Array(0);
	/** [places, positions] */
	#bias = new Float32Array(0);
	#positions = 0;
	/** As they were read, by place and count, until a value changes. */
	readonly #read = new Map<string, CrossTensors>();
	readonly #keptMs: number;
	/** Runs while there is memory that no batch uses. */
	#timer: NodeJS.Timeout | undefined;

	constructor(
		port: InferencePort,
		{
			heads,
			state,
			decoderLayers,
		}: Pick<WhisperShape, "heads" | "state" | "decoderLayers">,
		keptMs = keptMsDefault,
	) {
		this.#port = port;
		this.#keptMs = keptMs;
		this.#heads = heads;
		this.#headSize = state / heads;
		for (let layer = 0; layer < decoderLayers; layer++)
			for (const kind of ["cross_k", "cross_v"] as const)
				this.#values.set(layerName(kind, layer), new Float32Array(0));
	}

	/** Bytes of one segment. */
	bytesOf(positions: number): number {
		const floats = this.#heads * this.#headSize * positions;
		return floats * 4 * this.#values.size;
	}

	/** Allocates places for a new batch; earlier contents become invalid. @param positions of the longest segment. */
	clear(places: number, positions: number): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#read.clear();
		this.#positions = positions;
		this.#bias = new Float32Array(places * positions);
		const wanted = places * this.#placeFloats;
		for (const [name, values] of this.#values)
			if (values.length < wanted)
				this.#values.set(name, new Float32Array(wanted));
	}

	/** What the cache holds is no longer read. Its memory is freed, unless another batch begins soon. */
	batchEnded(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.forget(), this.#keptMs).unref();
	}

	/** Frees the memory now, but not that of a batch that has not ended. */
	forget(): void {
		if (this.#timer === undefined) return;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#read.clear();
		this.#scratch = new Float32Array(0);
		this.#bias = new Float32Array(0);
		for (const name of this.#values.keys())
			this.#values.set(name, new Float32Array(0));
	}

	/** @param cross of one segment; copied. @param positions of this segment. */
	put(place: number, cross: CrossTensors, positions: number): void {
		this.#read.clear();
		const start = place * this.#placeFloats;
		for (const [name, values] of this.#values) {
			const tensor = cross[name] as Tensor;
			const length = this.#heads * this.#headSize * positions;
			if (positions === this.#positions) {
				tensor.copyTo(values.subarray(start, start + length));
				continue;
			}
			if (this.#scratch.length < length)
				this.#scratch = new Float32Array(length);
			const data = this.#scratch.subarray(0, length);
			tensor.copyTo(data);
			const isKey = name.startsWith("cross_k");
			const stripes = isKey ? this.#heads * this.#headSize : this.#heads;
			const width = length / stripes;
			const stride = this.#placeFloats / stripes;
			for (let i = 0; i < stripes; i++)
				values.set(
					data.subarray(i * width, (i + 1) * width),
					start + i * stride,
				);
		}
		const from = place * this.#positions;
		this.#bias.fill(0, from, from + positions);
		this.#bias.fill(
			Number.NEGATIVE_INFINITY,
			from + positions,
			from + this.#positions,
		);
	}

	move(from: number, to: number): void {
		this.#read.clear();
		const size = this.#placeFloats;
		for (const values of this.#values.values())
			values.copyWithin(to * size, from * size, (from + 1) * size);
		const width = this.#positions;
		this.#bias.copyWithin(to * width, from * width, (from + 1) * width);
	}

	/** `count` places from `place` on, as decoder inputs; not copied, and the same tensors until a value changes. */
	read(place: number, count: number): CrossTensors {
		const key = `${place} ${count}`;
		let read = this.#read.get(key);
		if (!read) {
			read = this.#tensorsOf(place, count);
			this.#read.set(key, read);
		}
		return read;
	}

	#tensorsOf(place: number, count: number): CrossTensors {
		const size = this.#placeFloats;
		const width = this.#positions;
		const cross: Record<string, Tensor> = {
			[decoderNames.crossBias]: this.#port.tensor(
				"float32",
				this.#bias.subarray(place * width, (place + count) * width),
				[count, width],
				true,
			),
		};
		for (const [name, values] of this.#values)
			cross[name] = this.#port.tensor(
				"float32",
				values.subarray(place * size, (place + count) * size),
				name.startsWith("cross_k")
					? [count, this.#heads, this.#headSize, this.#positions]
					: [count, this.#heads, this.#positions, this.#headSize],
				true,
			);
		return cross;
	}

	get #placeFloats(): number {
		return this.#heads * this.#headSize * this.#positions;
	}
}
