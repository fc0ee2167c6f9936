/**
 * NeMo's transducers as exported for sherpa-onnx: FastConformer and Parakeet, with durations (TDT) or without. The encoder sees the whole segment; the
 * prediction network is an LSTM.
 */
import { hopSeconds } from "../../features/filterbank-port.js";
import { channelsFirst, FrontEnd } from "../../features/front-end.js";
import { type ScoredText, withHotwords } from "../favoured-tokens.js";
import { expectGraph, expectSymbols } from "../graph-checks.js";
import type { InferencePort, InferenceSession } from "../inference-port.js";
import {
	type EncodedFrames,
	framesOfChannels,
} from "../offline/encoded-frames.js";
import { lengthTensor } from "../offline/length-tensor.js";
import { offlineCapabilities, offlineOpener } from "../offline/recognizer.js";
import {
	type FoundTokens,
	oneByOne,
	type TokenModel,
	type TokenRequest,
} from "../offline/token-model.js";
import type { Capabilities } from "../recognizer.js";
import {
	type TransducerPaths,
	withTransducerGraphs,
} from "../transducer-graphs.js";
import { SymbolTable } from "../writing/symbol-table.js";
import { searchGreedily } from "./greedy-search.js";
import { NemoNetworks, type Prediction } from "./networks.js";
import {
	type DurationSearchOptions,
	type JointNetwork,
	searchDurations,
} from "./search.js";
import type { NemoTransducerShape } from "./shape.js";

export interface NemoTransducerSource extends TransducerPaths {
	readonly shape: NemoTransducerShape;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export const nemoTransducerCapabilities: Capabilities = {
	...offlineCapabilities,
	search: "beam search with durations",
};

export const openNemoTransducer = offlineOpener(
	openNemoTransducerModel,
	nemoTransducerCapabilities,
);

/** @throws ModelFault when graphs, symbols and shape do not match. */
export async function openNemoTransducerModel(
	port: InferencePort,
	{ shape, tokens, ...paths }: NemoTransducerSource,
	options: { readonly threads: number },
): Promise<TokenModel> {
	const symbols = new SymbolTable(tokens);
	expectSymbols(symbols, shape.vocabulary, true);
	return withTransducerGraphs(port, paths, options, (graphs) => {
		const { encoder, decoder, joiner, close } = graphs;
		expectGraph("the encoder", encoder, 2, 2);
		const networks = new NemoNetworks(port, decoder, joiner, shape);
		return new NemoTransducerModel(port, encoder, networks, symbols, {
			shape,
			close,
		});
	});
}

interface Rest {
	readonly shape: NemoTransducerShape;
	readonly close: () => Promise<void>;
}

class NemoTransducerModel implements TokenModel {
	readonly #port: InferencePort;
	readonly #encoder: InferenceSession;
	readonly #networks: NemoNetworks;
	readonly #shape: NemoTransducerShape;
	readonly #frontEnd: FrontEnd;
	/** Hypotheses are at different frames: nothing is shared between segments. */
	readonly togetherMax = 1;
	readonly close: () => Promise<void>;

	constructor(
		port: InferencePort,
		encoder: InferenceSession,
		networks: NemoNetworks,
		readonly symbols: SymbolTable,
		{ shape, close }: Rest,
	) {
		this.#port = port;
		this.#encoder = encoder;
		this.#networks = networks;
		this.#shape = shape;
		this.#frontEnd = new FrontEnd(
			{
				toolkit: "nemo-transducer",
				mels: shape.mels,
				normalization: shape.perFeature ? "per-feature" : "none",
			},
			port.filterbank,
		);
		this.close = close;
	}

	tokensOf(requests: readonly TokenRequest[]): Promise<readonly FoundTokens[]> {
		return oneByOne(requests, (request) => this.#tokensOf(request));
	}

	async #tokensOf(request: TokenRequest): Promise<FoundTokens> {
		const { beam, bias, cancelled } = request;
		const { vocabulary, subsampling } = this.#shape;
		const encoded = await this.#encode(request.samples);
		const networks = this.#networks;
		const start = await networks.predict(vocabulary - 1, networks.initialState);
		const options = {
			frames: encoded.count,
			vocabulary,
			beam,
			bias,
			cancelled,
		};
		const found = await search(this.#joint(encoded), start, options);
		if (found === "cancelled") return found;
		const [plain, favoured] = found.map(
			({ emitted, total }): ScoredText => ({
				tokens: emitted.map(({ frame, before, ...token }) => ({
					...token,
					seconds: frame * subsampling * hopSeconds,
				})),
				total,
			}),
		);
		if (!plain) return [];
		return bias && favoured
			? withHotwords(plain, favoured, bias)
			: plain.tokens;
	}

	#joint({ values, width }: EncodedFrames): JointNetwork<Prediction> {
		const networks = this.#networks;
		return {
			after: ({ state }, token) => networks.predict(token, state),
			scores: (frames, states) =>
				networks.join(
					frames.map((at) => values.subarray(at * width, (at + 1) * width)),
					states.map(({ output }) => output),
				),
		};
	}

	async #encode(samples: Float32Array): Promise<EncodedFrames> {
		const features = this.#frontEnd.of(samples);
		const { count, width } = features;
		const [x = "", lengths = ""] = this.#encoder.inputNames;
		const [output = "", outputLengths = ""] = this.#encoder.outputNames;
		const found = await this.#encoder.run(
			{
				[x]: this.#port.tensor("float32", channelsFirst(features), [
					1,
					width,
					count,
				]),
				[lengths]: lengthTensor(this.#port, this.#encoder, 1, count),
			},
			[output, outputLengths],
		);
		return framesOfChannels("the encoder", found[output], found[outputLengths]);
	}
}

async function search<State>(
	network: JointNetwork<State>,
	start: State,
	options: DurationSearchOptions,
) {
	if (options.beam > 1 || options.bias)
		return searchDurations(network, start, options);
	const found = await searchGreedily(network, start, options);
	return found === "cancelled" ? found : [found];
}
