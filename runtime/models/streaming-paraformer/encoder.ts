/**
 * The graphs of a streaming Paraformer, chunk by chunk: features are stacked and encoded with their neighbours, tokens fire (CIF), and the decoder scores them.
 * What a segment's stream sees is an encoder whose frames are rows of scores, one for each token.
 *
 * INVARIANT: a state is immutable: several chunks may follow the same one.
 */
import { hopSeconds } from "../../features/filterbank-port.js";
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import { refuseInfinite } from "../offline/encoded-frames.js";
import { lengthTensor } from "../offline/length-tensor.js";
import type {
	ChunkShape,
	EncodedChunk,
	EncoderState,
	StateTensor,
	StreamEncoder,
} from "../streaming/stream-encoder.js";
import { integrateAndFire } from "./integrate-and-fire.js";
import type { StreamingParaformerShape } from "./shape.js";
import {
	ChunkStacker,
	chunkStacks,
	repeatedStacks,
	stacksAfter,
	stacksBefore,
} from "./stacked-chunk.js";

export interface ParaformerGraphs {
	readonly encoder: InferenceSession;
	readonly decoder: InferenceSession;
}

/** Inputs and outputs of the decoder before its states. */
const decoderInputs = 4;
const decoderOutputs = 2;
/** Far more than the largest published model's (0.3 MB). */
const stateBytesMax = 64 * 1024 * 1024;
const floatBytes = 4;

export class StreamingParaformerEncoder implements StreamEncoder {
	readonly #port: InferencePort;
	readonly #graphs: ParaformerGraphs;
	readonly #model: StreamingParaformerShape;
	readonly #stacker: ChunkStacker;
	readonly shape: ChunkShape;
	readonly initial: EncoderState;
	readonly takesMany = false;

	/** @throws ModelFault when its states would be too large. */
	constructor(
		port: InferencePort,
		graphs: ParaformerGraphs,
		model: StreamingParaformerShape,
		mels: number,
	) {
		const { windowFrames, hopFrames, width, blocks, kernel } = model;
		if (width * blocks * kernel * floatBytes > stateBytesMax)
			throw new ModelFault(
				`the decoder's states are too large: ${blocks} of ${width} times ${kernel}`,
			);
		this.#port = port;
		this.#graphs = graphs;
		this.#model = model;
		this.#stacker = new ChunkStacker(model, mels);
		this.shape = {
			chunkFrames: (chunkStacks - 1) * hopFrames + windowFrames,
			hopFrames: chunkStacks * hopFrames,
			mels,
		};
		const stackWidth = this.#stacker.width;
		this.initial = stateOf([
			floats("place", [0], [1]),
			floats("stacks", new Float32Array(repeatedStacks * stackWidth), [
				repeatedStacks,
				stackWidth,
			]),
			floats("weight", [0], [1]),
			floats("hidden", new Float32Array(width), [width]),
			...Array.from({ length: blocks }, (_, i) =>
				floats(`block ${i}`, new Float32Array(width * (kernel - 1)), [
					1,
					width,
					kernel - 1,
				]),
			),
		]);
	}

	/** Nothing is kept of states. */
	release(): void {}

	async encode(
		chunk: Float32Array,
		state: EncoderState,
	): Promise<EncodedChunk> {
		const [place, stacks, weight, hidden, ...blocks] = state.tensors;
		const [first = 0] = valuesOf(place);
		const input = this.#stacker.stacksOf(chunk, first, valuesOf(stacks));
		const encoded = await this.#encode(input);
		try {
			const { values, weights } = encoded;
			const fired = integrateAndFire(values, weights, {
				hidden: valuesOf(hidden),
				weight: valuesOf(weight)[0] ?? 0,
			});
			const tokens = fired.frames.length;
			const decoded =
				tokens === 0
					? { frames: new Float32Array(0), blocks }
					: await this.#decode(encoded.tensors, fired.embeddings, blocks);
			return {
				frames: decoded.frames,
				count: tokens,
				width: this.#model.vocabulary,
				seconds: fired.frames.map((at) =>
					Math.max(0, (first + at - repeatedStacks) * this.#secondsPerStack),
				),
				next: stateOf([
					floats("place", [first + chunkStacks], [1]),
					floats("stacks", this.#repeated(input), stacks?.dims ?? []),
					floats("weight", [fired.weight], [1]),
					floats("hidden", fired.hidden, [fired.hidden.length]),
					...decoded.blocks,
				]),
			};
		} finally {
			for (const it of encoded.tensors) it.dispose();
		}
	}

	get #secondsPerStack(): number {
		return this.#model.hopFrames * hopSeconds;
	}

	#repeated(stacks: Float32Array): Float32Array {
		return stacks.slice(-repeatedStacks * this.#stacker.width);
	}

	/** @param stacks [repeatedStacks + chunkStacks, width] @returns `tensors`: the frames and their number, to be disposed. */
	async #encode(stacks: Float32Array) {
		const { encoder } = this.#graphs;
		const { width } = this.#stacker;
		const count = stacks.length / width;
		const [x = "", lengths = ""] = encoder.inputNames;
		const [output = "", outputLengths = "", weightsOutput = ""] =
			encoder.outputNames;
		const found = await encoder.run(
			{
				[x]: this.#port.tensor("float32", stacks, [1, count, width]),
				[lengths]: lengthTensor(this.#port, encoder, 1, count),
			},
			[output, outputLengths, weightsOutput],
		);
		const weights = taken(found[weightsOutput]);
		const tensors = [found[output], found[outputLengths]] as Tensor[];
		const values = (tensors[0] as Tensor).data.slice() as Float32Array;
		refuseInfinite("the encoder", values);
		refuseInfinite("the encoder", weights);
		if (weights.length !== count || values.length !== count * this.#model.width)
			throw new ModelFault(
				`the encoder returned ${values.length} values and ${weights.length} weights for ${count} frames of ${this.#model.width}`,
			);
		// these are the next chunk's, or were the last one's
		weights.fill(0, 0, stacksBefore);
		weights.fill(0, count - stacksAfter);
		return { values, weights, tensors };
	}

	/** @param embeddings [tokens, width] @returns scores: [tokens, vocabulary], and the next states. */
	async #decode(
		encoded: readonly Tensor[],
		embeddings: Float32Array,
		blocks: readonly StateTensor[],
	) {
		const { decoder } = this.#graphs;
		const { width, vocabulary } = this.#model;
		const tokens = embeddings.length / width;
		const inputs = [
			...encoded,
			this.#port.tensor("float32", embeddings, [1, tokens, width]),
			lengthTensor(this.#port, decoder, decoderInputs - 1, tokens),
			...blocks.map(({ type, data, dims }) =>
				this.#port.tensor(type, data, dims),
			),
		];
		const [output = ""] = decoder.outputNames;
		const states = decoder.outputNames.slice(
			decoderOutputs,
			decoderOutputs + blocks.length,
		);
		const found = await decoder.run(
			Object.fromEntries(
				decoder.inputNames.map((name, i) => [name, inputs[i] as Tensor]),
			),
			[output, ...states],
		);
		const next = states.map((name, i) => this.#nextBlock(i, found[name]));
		const frames = taken(found[output]);
		refuseInfinite("the decoder", frames);
		if (frames.length !== tokens * vocabulary)
			throw new ModelFault(
				`tokens.txt has ${vocabulary} symbols, the model scores ${frames.length / tokens}`,
			);
		return { frames, blocks: next };
	}

	/** What a block saw last; graphs may return more than it needs. */
	#nextBlock(block: number, tensor: Tensor | undefined): StateTensor {
		const { width, kernel } = this.#model;
		const [, , length = 0] = tensor?.dims ?? [];
		const kept = kernel - 1;
		const values = taken(tensor);
		if (length < kept || values.length !== width * length)
			throw new ModelFault(
				`the decoder's state ${block} is [${tensor?.dims}], not ${width} times ${kept}`,
			);
		const last = new Float32Array(width * kept);
		for (let i = 0; i < width; i++)
			last.set(
				values.subarray((i + 1) * length - kept, (i + 1) * length),
				i * kept,
			);
		return floats(`block ${block}`, last, [1, width, kept]);
	}
}

function stateOf(tensors: readonly StateTensor[]): EncoderState {
	return { tensors, floats: undefined };
}

function floats(
	name: string,
	values: ArrayLike<number>,
	dims: readonly number[],
): StateTensor {
	const data =
		values instanceof Float32Array ? values : Float32Array.from(values);
	return { name, type: "float32", dims, data };
}

function valuesOf(tensor: StateTensor | undefined): Float32Array {
	return tensor?.data as Float32Array;
}

/** Copies the values: the memory of an output ends with it. */
function taken(tensor: Tensor | undefined): Float32Array {
	if (tensor?.type !== "float32")
		throw new ModelFault("the graph returned no floats");
	const values = (tensor.data as Float32Array).slice();
	tensor.dispose();
	return values;
}
