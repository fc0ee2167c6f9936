/**
 * Whisper's decoder at run time. A run decodes one segment: its past is in tensors that are passed from one step to the next without being read, and
 * disposed when the run ends. graphs.ts defines what a step scores.
 */
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";
import { decoderNames, type LayerTensor, layerName } from "./graphs.js";
import type { WhisperShape } from "./shape.js";

export interface StepRequest {
	/** [rows, L], row-major. */
	readonly tokens: ArrayLike<number>;
	/** [rows]: the row of the past that each row continues. */
	readonly parents: ArrayLike<number>;
	/** Indices into 0..L-1 whose next token is scored; default: the last one. */
	readonly positions?: ArrayLike<number>;
	/** [V]: see `biasTensor`. */
	readonly bias: Tensor;
	/** [rows, positions, E]. */
	readonly extraIds?: ArrayLike<number>;
	/** Also return the cross-attention of the alignment heads. */
	readonly alignment?: boolean;
}

export interface StepOutput {
	/** [rows, positions, 16], best first. */
	readonly ids: Int32Array;
	readonly logp: Float32Array;
	/** [rows, positions, E]. */
	readonly extraLogp: Float32Array;
	/** [rows, heads, L, S]; empty unless requested. */
	readonly alignment: Float32Array;
}

export class WhisperDecoder {
	readonly #session: InferenceSession;
	/** Whether segments of one batch may have contexts of different lengths: see `cross_bias`. */
	readonly supportsUnequalLengths: boolean;
	readonly #presentNames: readonly string[];

	constructor(
		readonly port: InferencePort,
		session: InferenceSession,
		readonly shape: WhisperShape,
	) {
		this.#session = session;
		this.supportsUnequalLengths = session.inputNames.includes(
			decoderNames.crossBias,
		);
		this.#presentNames = this.#layerNames("present_k", "present_v");
	}

	/** A bias that forbids the given tokens. */
	biasTensor(forbidden: Iterable<number>): Tensor {
		const bias = new Float32Array(this.shape.vocabulary);
		for (const token of forbidden) bias[token] = Number.NEGATIVE_INFINITY;
		return this.port.tensor("float32", bias, [bias.length], true);
	}

	/** @param cross the encoder's tensors; they must outlive the run and are not disposed with it. */
	begin(cross: Readonly<Record<string, Tensor>>): DecoderRun {
		return new DecoderRun(this, cross);
	}

	/** A past with no tokens. */
	emptyPast(): Record<string, Tensor> {
		const { heads, state } = this.shape;
		const past: Record<string, Tensor> = {};
		for (const name of this.#layerNames("past_k", "past_v"))
			past[name] = this.port.tensor("float32", new Float32Array(0), [
				1,
				heads,
				0,
				state / heads,
			]);
		return past;
	}

	/** Runs one step and returns the past for the next step. The caller disposes both pasts. */
	async step(
		cross: Readonly<Record<string, Tensor>>,
		past: Readonly<Record<string, Tensor>>,
		request: StepRequest,
	): Promise<{ past: Record<string, Tensor>; output: StepOutput }> {
		const { tokens, parents, extraIds = [] } = request;
		const rows = parents.length;
		const newTokens = tokens.length / rows;
		const positions = request.positions ?? [newTokens - 1];
		const scored = rows * positions.length;
		const int32 = (data: ArrayLike<number>, dims: readonly number[]) =>
			this.port.tensor("int32", Int32Array.from(data), dims);
		const feeds = {
			...this.#biasFor(cross),
			...cross,
			...past,
			[decoderNames.tokens]: int32(tokens, [rows, newTokens]),
			[decoderNames.parents]: int32(parents, [rows]),
			[decoderNames.positions]: int32(positions, [positions.length]),
			[decoderNames.bias]: request.bias,
			[decoderNames.extraIds]: int32(extraIds, [
				rows,
				positions.length,
				extraIds.length / scored,
			]),
		};
		return this.#run(feeds, request.alignment ?? false);
	}

	/** The default bias where `cross` has none: no position is masked. */
	#biasFor(cross: Readonly<Record<string, Tensor>>) {
		const { crossBias } = decoderNames;
		if (!this.supportsUnequalLengths || cross[crossBias]) return {};
		const [segments = 0, , , positions = 0] =
			cross[layerName("cross_k", 0)]?.dims ?? [];
		const zeros = new Float32Array(segments * positions);
		return {
			[crossBias]: this.port.tensor("float32", zeros, [segments, positions]),
		};
	}

	async #run(
		feeds: Record<string, Tensor>,
		alignment: boolean,
	): Promise<{ past: Record<string, Tensor>; output: StepOutput }> {
		const fetches: string[] = [
			decoderNames.topIds,
			decoderNames.topLogp,
			decoderNames.extraLogp,
			...this.#presentNames,
		];
		if (alignment) fetches.push(decoderNames.alignment);
		const outputs = await this.#session.run(feeds, fetches);
		const past: Record<string, Tensor> = {};
		for (const name of this.#presentNames)
			past[name.replace("present", "past")] = outputs[name] as Tensor;
		return {
			past,
			output: {
				ids: takeData(outputs[decoderNames.topIds]) as Int32Array,
				logp: takeData(outputs[decoderNames.topLogp]) as Float32Array,
				extraLogp: takeData(outputs[decoderNames.extraLogp]) as Float32Array,
				alignment: alignment
					? (takeData(outputs[decoderNames.alignment]) as Float32Array)
					: new Float32Array(0),
			},
		};
	}

	#layerNames(...kinds: LayerTensor[]): string[] {
		const layers = [...Array(this.shape.decoderLayers).keys()];
		return layers.flatMap((layer) =>
			kinds.map((kind) => layerName(kind, layer)),
		);
	}
}

export class DecoderRun {
	readonly #decoder: WhisperDecoder;
	readonly #cross: Readonly<Record<string, Tensor>>;
	#past: Record<string, Tensor>;
	#closed = false;

	constructor(
		decoder: WhisperDecoder,
		cross: Readonly<Record<string, Tensor>>,
	) {
		this.#decoder = decoder;
		this.#cross = cross;
		this.#past = decoder.emptyPast();
	}

	async step(request: StepRequest): Promise<StepOutput> {
		if (this.#closed) throw new Error("DecoderRun: step after close");
		const { past, output } = await this.#decoder.step(
			this.#cross,
			this.#past,
			request,
		);
		this.#disposePast();
		this.#past = past;
		return output;
	}

	close(): void {
		this.#closed = true;
		this.#disposePast();
	}

	#disposePast(): void {
		for (const name in this.#past) this.#past[name]?.dispose();
		this.#past = {};
	}
}

/** Copies the values and disposes the tensor. */
function takeData(tensor: Tensor | undefined) {
	if (tensor === undefined) throw new Error("the decoder's output is missing");
	const data = tensor.data.slice();
	tensor.dispose();
	return data;
}
