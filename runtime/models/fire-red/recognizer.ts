/**
 * FireRedASR with an attention decoder (Xu et al. 2025, "FireRedASR: Open-Source Industrial-Grade Mandarin Speech Recognition Models") on the graphs that k2-fsa
 * publishes for sherpa-onnx. The encoder returns keys and values of the audio for each layer of the decoder; the decoder's past has a fixed number of places.
 */
import { hopsPerSecond } from "../../features/filterbank-port.js";
import { FrontEnd } from "../../features/front-end.js";
import { expectGraph, expectSymbols } from "../graph-checks.js";
import {
	elementCount,
	type InferencePort,
	type InferenceSession,
	type Tensor,
} from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import { onlyScores } from "../offline/decoder-scores.js";
import {
	type EncodedSegment,
	type EncoderDecoder,
	EncoderDecoderModel,
	tokensMaxOf,
} from "../offline/encoder-decoder.js";
import { lengthTensor } from "../offline/length-tensor.js";
import { runInOrder } from "../offline/ordered-run.js";
import { offlineCapabilities, offlineOpener } from "../offline/recognizer.js";
import type { TokenModel } from "../offline/token-model.js";
import { OpenGraphs } from "../open-graphs.js";
import type { Capabilities } from "../recognizer.js";
import { SymbolTable } from "../writing/symbol-table.js";
import type { FireRedShape } from "./shape.js";

export interface FireRedSource {
	readonly shape: FireRedShape;
	readonly encoderPath: string;
	readonly decoderPath: string;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export const fireRedCapabilities: Capabilities = {
	...offlineCapabilities,
	search: "greedy; beam search with hotwords",
};

/** The encoder reduces frames by four and looks at its neighbours: fewer have no output. */
const framesMin = 8;
/** Of a past that takes any number; twice as many whenever it is full. A step copies them all: 90 places instead of 32 take a sixth more time. */
const placesMin = 16;

/** The published models' is 36 million: a damaged manifest must not take all memory. */
const pastSizeMax = 500e6;

interface Graphs {
	readonly encoder: InferenceSession;
	readonly decoder: InferenceSession;
	close(): Promise<void>;
}

/** After some tokens. */
interface State {
	/** Keys and values of the text, each [layers, 1, places, heads, width]. */
	readonly past: readonly Tensor[];
	readonly tokens: number;
}

export const openFireRed = offlineOpener(openFireRedModel, fireRedCapabilities);

/** @throws ModelFault when graphs, symbols and shape do not match. */
export async function openFireRedModel(
	port: InferencePort,
	{ shape, tokens, encoderPath, decoderPath }: FireRedSource,
	options: { readonly threads: number },
): Promise<TokenModel> {
	const symbols = new SymbolTable(tokens);
	expectSymbols(symbols, 1 + Math.max(shape.startOfText, shape.endOfText));
	const past = sizeOfPast(shape, shape.placesMax);
	if (past > pastSizeMax)
		throw new ModelFault(
			`the manifest's decoder has a past of ${past} numbers, more than any known model's`,
		);
	const mels = shape.mean.length;
	if (shape.inverseDeviation.length !== mels)
		throw new ModelFault(
			`the manifest has ${mels} means of features and ${shape.inverseDeviation.length} deviations`,
		);
	return OpenGraphs.with(port, options, async (graphs) => {
		const encoder = await graphs.open(encoderPath);
		expectGraph("the encoder", encoder, 2, 2);
		const width = encoder.inputs[0]?.dims[2];
		if (typeof width === "number" && width > 0 && width !== mels)
			throw new ModelFault(
				`the encoder takes ${width} features, but there are means of ${mels}`,
			);
		const decoder = await graphs.open(decoderPath);
		expectGraph("the decoder", decoder, 6, 3);
		const close = () => graphs.close();
		return new EncoderDecoderModel(
			new FireRedGraphs(port, { encoder, decoder, close }, shape),
			symbols,
		);
	});
}

class FireRedGraphs implements EncoderDecoder {
	readonly #port: InferencePort;
	readonly #graphs: Graphs;
	readonly #shape: FireRedShape;
	readonly #frontEnd: FrontEnd;
	readonly startOfText: number;
	readonly endOfText: number;

	constructor(port: InferencePort, graphs: Graphs, shape: FireRedShape) {
		this.#port = port;
		this.#graphs = graphs;
		this.#shape = shape;
		this.#frontEnd = new FrontEnd(
			{
				toolkit: "firered",
				mels: shape.mean.length,
				normalization: shape,
			},
			port.filterbank,
		);
		this.startOfText = shape.startOfText;
		this.endOfText = shape.endOfText;
	}

	close(): Promise<void> {
		return this.#graphs.close();
	}

	async encode(samples: Float32Array): Promise<EncodedSegment | undefined> {
		const { values, count, width } = this.#frontEnd.of(samples);
		if (count < framesMin) return undefined;
		const { encoder } = this.#graphs;
		const audio = await runInOrder(
			encoder,
			[
				this.#port.tensor("float32", values, [1, count, width]),
				lengthTensor(this.#port, encoder, 1, count),
			],
			2,
		);
		const tokensMax = Math.min(
			tokensMaxOf(count / hopsPerSecond),
			this.#shape.placesMax,
		);
		const empty = this.#emptyPast(tokensMax);
		return {
			tokensMax,
			step: (state, token) =>
				this.#step(
					audio,
					(state as State) ?? { past: empty, tokens: 0 },
					token,
				),
			release: (state) => {
				for (const tensor of (state as State).past) tensor.dispose();
			},
			close: () => {
				for (const tensor of audio) tensor.dispose();
			},
		};
	}

	async #step(
		audio: readonly Tensor[],
		{ past, tokens }: State,
		token: number,
	) {
		const { decoder } = this.#graphs;
		const [scores, ...next] = await runInOrder(
			decoder,
			[
				lengthTensor(this.#port, decoder, 0, token, [1, 1]),
				...(tokens < this.#placesOf(past) ? past : past.map(this.#widened)),
				...audio,
				lengthTensor(this.#port, decoder, 5, tokens),
			],
			3,
		);
		return {
			scores: onlyScores(scores),
			state: { past: next, tokens: tokens + 1 },
		};
	}

	/** As many places as the graph was exported with; where it takes any number, a few: each step copies all of them. */
	#emptyPast(tokensMax: number): Tensor[] {
		const { decoderLayers, heads, headWidth, placesMax } = this.#shape;
		const exported = this.#graphs.decoder.inputs[1]?.dims[2];
		const isFixed = typeof exported === "number" && exported > 0;
		const places = isFixed ? placesMax : Math.min(placesMin, tokensMax);
		const dims = [decoderLayers, 1, places, heads, headWidth];
		const values = new Float32Array(sizeOfPast(this.#shape, places));
		const tensor = () => this.#port.tensor("float32", values, dims);
		return [tensor(), tensor()];
	}

	#placesOf([keys]: readonly Tensor[]): number {
		return keys?.dims[2] ?? 0;
	}

	/** A copy with more places. @param past [layers, 1, places, heads, width] */
	readonly #widened = (past: Tensor): Tensor => {
		const [layers = 0, , places = 0, ...rest] = past.dims;
		const place = elementCount(rest);
		const wider = Math.min(2 * places, this.#shape.placesMax);
		const values = new Float32Array(layers * wider * place);
		const data = past.data as Float32Array;
		for (let layer = 0; layer < layers; layer++)
			values.set(
				data.subarray(layer * places * place, (layer + 1) * places * place),
				layer * wider * place,
			);
		const dims = [layers, 1, wider, ...rest];
		return this.#port.tensor("float32", values, dims);
	};
}

/** Numbers in the keys, or in the values, of so many places. */
function sizeOfPast(
	{ decoderLayers, heads, headWidth }: FireRedShape,
	places: number,
): number {
	return decoderLayers * places * heads * headWidth;
}
