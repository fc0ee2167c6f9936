/**
 * A streaming encoder as icefall exports it: chunks of features in, frames out, and state tensors that each run passes to the next. The graph defines
 * these tensors: every input except `x` is one, the output `new_<name>` is its next value, and all begin at zero. So this file supports zipformer,
 * zipformer2 and other encoders that are exported in this form.
 *
 * INVARIANT: a state is immutable: several chunks may follow the same one.
 */
import type {
	InferencePort,
	InferenceSession,
	TensorData,
	TensorType,
} from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import type { ZipformerShape } from "./shape.js";

interface StateTensor {
	readonly name: string;
	readonly type: TensorType;
	readonly dims: readonly number[];
	readonly data: TensorData;
}

export type EncoderState = readonly StateTensor[];

export interface EncodedChunk {
	/** [count, width] */
	readonly frames: Float32Array;
	readonly count: number;
	readonly width: number;
	readonly next: EncoderState;
}

/** Far more than the largest published model's (12 MB). */
const stateBytesMax = 256 * 1024 * 1024;
const features = "x";

export class ZipformerEncoder {
	readonly #port: InferencePort;
	readonly #session: InferenceSession;
	readonly initial: EncoderState;
	readonly #output: string;

	/** @throws ModelFault when the graph is not such an encoder. */
	constructor(
		port: InferencePort,
		session: InferenceSession,
		readonly shape: ZipformerShape,
	) {
		this.#port = port;
		this.#session = session;
		const { inputs, outputNames } = session;
		const x = inputs.find((it) => it.name === features);
		const [, frames, mels] = x?.dims ?? [];
		const fits = (dim: unknown, wanted: number) =>
			typeof dim === "string" || dim === wanted;
		if (!fits(frames, shape.chunkFrames) || !fits(mels, shape.mels))
			throw new ModelFault(
				`the encoder's input x is [${x?.dims}], but the manifest has ${shape.chunkFrames} frames of ${shape.mels}`,
			);
		const [output] = outputNames;
		if (output === undefined || outputNames.includes(features))
			throw new ModelFault("the encoder has no output");
		this.#output = output;
		this.initial = inputs
			.filter(({ name }) => name !== features)
			.map(({ name, type, dims }) => {
				if (!outputNames.includes(`new_${name}`))
					throw new ModelFault(`the encoder has no output new_${name}`);
				return stateOf(name, type, dims);
			});
	}

	/** @param chunk [chunkFrames, mels] @throws ModelFault when the output is not finite */
	async encode(
		chunk: Float32Array,
		state: EncoderState,
	): Promise<EncodedChunk> {
		const { chunkFrames, mels } = this.shape;
		const feeds = {
			[features]: this.#port.tensor("float32", chunk, [1, chunkFrames, mels]),
			...Object.fromEntries(
				state.map(({ name, type, data, dims }) => [
					name,
					this.#port.tensor(type, data, dims),
				]),
			),
		};
		const found = await this.#session.run(feeds, [
			this.#output,
			...state.map(({ name }) => `new_${name}`),
		]);
		const copyOf = (name: string) => {
			const tensor = found[name];
			if (!tensor) throw new ModelFault(`the encoder did not return ${name}`);
			// copied, because the garbage collector does not see the outputs of a run
			const copy = { dims: [...tensor.dims], data: tensor.data.slice() };
			tensor.dispose();
			return copy;
		};
		const { dims, data } = copyOf(this.#output);
		const [, count = 0, width = 0] = dims;
		const frames = data as Float32Array;
		if (!Number.isFinite(frames[0]) || !Number.isFinite(frames.at(-1)))
			throw new ModelFault(
				"the encoder's output is not finite: damaged weights",
			);
		const next = state.map((it) => ({ ...it, ...copyOf(`new_${it.name}`) }));
		return { frames, count, width, next };
	}
}

function stateOf(
	name: string,
	type: string,
	shape: readonly (number | string)[],
): StateTensor {
	// the only dynamic dimension is the batch
	const dims = shape.map((dim) =>
		typeof dim === "number" && dim > 0 ? dim : 1,
	);
	const size = dims.reduce((product, dim) => product * dim, 1);
	if (size * 8 > stateBytesMax)
		throw new ModelFault(`the encoder's ${name} is too large: [${dims}]`);
	if (type === "float32")
		return { name, type, dims, data: new Float32Array(size) };
	if (type === "int64")
		return { name, type, dims, data: new BigInt64Array(size) };
	throw new ModelFault(`the encoder's ${name} is of type ${type}`);
}
