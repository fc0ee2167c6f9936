/**
 * A streaming encoder as icefall exports it: chunks of features in, frames out, and state tensors that each run passes to the next. The graph defines
 * these tensors: every input except `x` is one, the output `new_<name>` is its next value, and all begin at zero. So this file supports zipformer,
 * zipformer2 and other encoders that are exported in this form, also those that score tokens themselves (CTC).
 *
 * INVARIANT: a state is immutable: several chunks may follow the same one.
 */
import {
	elementCount,
	type InferencePort,
	type InferenceSession,
	type Tensor,
} from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import type {
	ChunkShape,
	EncodedChunk,
	EncoderState,
	StateTensor,
	StreamEncoder,
} from "../streaming/stream-encoder.js";

/** Far more than the largest published model's (12 MB). */
const stateBytesMax = 256 * 1024 * 1024;
/** States whose memory is kept for later ones. */
const spareMax = 8;
const features = "x";

export class ZipformerEncoder implements StreamEncoder {
	readonly #port: InferencePort;
	readonly #session: InferenceSession;
	readonly initial: EncoderState;
	/** Whether a run may take several chunks: graphs that earshot has rewritten (convert/zipformer/). */
	readonly takesMany: boolean;
	readonly #output: string;
	/** Without them tens of megabytes of old states would wait for the garbage collector. */
	readonly #spare: Float32Array[] = [];
	/** Whether a run's next state has the shapes of the one before, so that it may be written where it is kept; unknown before the first. */
	#keepsShapes: boolean | undefined;

	/** @throws ModelFault when the graph is not such an encoder. */
	constructor(
		port: InferencePort,
		session: InferenceSession,
		readonly shape: ChunkShape,
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
		this.takesMany = typeof frames === "string";
		const [output] = outputNames;
		if (output === undefined || outputNames.includes(features))
			throw new ModelFault("the encoder has no output");
		this.#output = output;
		const tensors = inputs
			.filter(({ name }) => name !== features)
			.map(({ name, type, dims }) => {
				if (!outputNames.includes(`new_${name}`))
					throw new ModelFault(`the encoder has no output new_${name}`);
				return stateOf(name, type, dims);
			});
		this.initial = { tensors, floats: undefined };
	}

	/**
	 * @param chunk [chunkFrames, mels], or of several chunks where the graph takes them: each further one has hopFrames more
	 * @throws ModelFault when the output is not finite
	 */
	async encode(
		chunk: Float32Array,
		state: EncoderState,
	): Promise<EncodedChunk> {
		const { mels } = this.shape;
		const dims = [1, chunk.length / mels, mels];
		const feeds: Record<string, Tensor> = {
			[features]: this.#port.tensor("float32", chunk, dims),
		};
		for (const { name, type, data, dims } of state.tensors)
			feeds[name] = this.#port.tensor(type, data, dims);
		const room = this.#keepsShapes ? this.#roomFor(state) : undefined;
		const found = await this.#session.run(
			feeds,
			[this.#output, ...state.tensors.map(({ name }) => `new_${name}`)],
			room?.into,
		);
		const tensorOf = (name: string): Tensor => {
			const tensor = found[name];
			if (!tensor) throw new ModelFault(`the encoder did not return ${name}`);
			return tensor;
		};
		const outputs = state.tensors.map(({ name }) => tensorOf(`new_${name}`));
		this.#keepsShapes ??= outputs.every(
			({ dims }, i) => `${dims}` === `${state.tensors[i]?.dims}`,
		);
		const next = room
			? stateIn(room.floats, state.tensors, outputs)
			: this.#copyState(state.tensors, outputs);
		return { ...framesOf(tensorOf(this.#output)), next };
	}

	/** The state will not be used again: its memory may be. */
	release({ floats }: EncoderState): void {
		if (floats && this.#spare.length < spareMax) this.#spare.push(floats);
	}

	/** Memory for the state after this one. */
	#roomFor({ tensors }: EncoderState) {
		const sizes = tensors.map(floatsOf);
		const floats = this.#memoryOf(sizes.reduce((sum, it) => sum + it, 0));
		const into: Record<string, Tensor> = {};
		let filled = 0;
		for (const [i, { name, type, dims }] of tensors.entries()) {
			if (type !== "float32") continue;
			const end = filled + (sizes[i] as number);
			const part = floats.subarray(filled, end);
			into[`new_${name}`] = this.#port.tensor(type, part, dims);
			filled = end;
		}
		return { floats, into };
	}

	#memoryOf(size: number): Float32Array {
		const spare = this.#spare.pop();
		return spare?.length === size ? spare : new Float32Array(size);
	}

	/**
	 * Copies the values, because the garbage collector does not see the outputs of a run, into one array: dozens of small ones keep it busy.
	 * @param outputs the next values; disposed.
	 */
	#copyState(
		before: readonly StateTensor[],
		outputs: readonly Tensor[],
	): EncoderState {
		const sizes = outputs.map(floatsOf);
		const floats = this.#memoryOf(sizes.reduce((sum, it) => sum + it, 0));
		let filled = 0;
		const tensors = before.map(({ name, type }, i) => {
			const output = outputs[i] as Tensor;
			const dims = [...output.dims];
			const end = filled + (sizes[i] as number);
			const part = floats.subarray(filled, end);
			filled = end;
			if (output.type === "float32") output.copyTo(part);
			const data = output.type === "float32" ? part : output.data.slice();
			output.dispose();
			return { name, type, dims, data };
		});
		return { tensors, floats };
	}
}

/** @param floats has the outputs of floats. @param outputs the others are disposed. */
function stateIn(
	floats: Float32Array,
	before: readonly StateTensor[],
	outputs: readonly Tensor[],
): EncoderState {
	const tensors = before.map(({ name, type, dims }, i) => {
		const output = outputs[i] as Tensor;
		if (type === "float32") return { name, type, dims, data: output.data };
		const data = output.data.slice();
		output.dispose();
		return { name, type, dims, data };
	});
	return { tensors, floats };
}

/** @param output [1, count, width]; disposed. */
function framesOf(output: Tensor) {
	const [, count = 0, width = 0] = output.dims;
	const frames = new Float32Array(elementCount(output.dims));
	output.copyTo(frames); // reading `data` might copy once more
	output.dispose();
	if (!Number.isFinite(frames[0]) || !Number.isFinite(frames.at(-1)))
		throw new ModelFault("the encoder's output is not finite: damaged weights");
	return { frames, count, width };
}

function floatsOf({ type, dims }: Pick<StateTensor, "type" | "dims">): number {
	return type === "float32" ? elementCount(dims) : 0;
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
	const size = elementCount(dims);
	if (size * 8 > stateBytesMax)
		throw new ModelFault(`the encoder's ${name} is too large: [${dims}]`);
	if (type === "float32")
		return { name, type, dims, data: new Float32Array(size) };
	if (type === "int64")
		return { name, type, dims, data: new BigInt64Array(size) };
	throw new ModelFault(`the encoder's ${name} is of type ${type}`);
}
