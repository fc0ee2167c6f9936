/**
 * Offline transducers with a stateless decoder (Ghodsi et al. 2020) as icefall exports them and k2-fsa publishes them for sherpa-onnx: zipformer and conformer
 * encoders that see the whole segment; ReazonSpeech's Japanese model is one.
 */
import { FrontEnd } from "../../features/front-end.js";
import { withHotwords } from "../favoured-tokens.js";
import { expectGraph, expectSymbols } from "../graph-checks.js";
import type { InferencePort, InferenceSession } from "../inference-port.js";
import {
	type EncodedFrames,
	featuresMin,
	framesOf,
} from "../offline/encoded-frames.js";
import { lengthTensor } from "../offline/length-tensor.js";
import { offlineCapabilities, offlineOpener } from "../offline/recognizer.js";
import type {
	FoundTokens,
	TokenModel,
	TokenRequest,
} from "../offline/token-model.js";
import type { Capabilities } from "../recognizer.js";
import {
	type TransducerPaths,
	withTransducerGraphs,
} from "../transducer-graphs.js";
import { SymbolTable, unitsOf } from "../writing/symbol-table.js";
import { bestText } from "./beam.js";
import { type SearchedSegment, searchTogether } from "./search.js";
import type { TransducerShape } from "./shape.js";
import { blank, Transducer } from "./transducer.js";

export interface TransducerSource extends TransducerPaths {
	readonly shape: TransducerShape;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export const transducerCapabilities: Capabilities = {
	...offlineCapabilities,
	search: "modified beam search",
};

/** icefall's encoders reduce the frames of 10 ms to a quarter. */
const secondsPerFrame = 0.04;
/** More segments side by side cost less, but the last of them waits for all. */
const togetherMax = 8;

export const openTransducer = offlineOpener(
	openTransducerModel,
	transducerCapabilities,
);

/** @throws ModelFault when graphs, symbols and shape do not match. */
export async function openTransducerModel(
	port: InferencePort,
	{ shape, tokens, ...paths }: TransducerSource,
	options: { readonly threads: number },
): Promise<TokenModel> {
	const symbols = new SymbolTable(tokens, unitsOf(tokens));
	expectSymbols(symbols, shape.vocabulary);
	const { contextSize, vocabulary } = shape;
	const frontEnd = new FrontEnd(
		{ toolkit: "icefall", mels: shape.mels, normalization: "none" },
		port.filterbank,
	);
	return withTransducerGraphs(port, paths, options, (graphs) => {
		const { encoder, decoder, joiner, close } = graphs;
		expectGraph("the encoder", encoder, 2, 2);
		const transducer = new Transducer(
			port,
			decoder,
			joiner,
			contextSize,
			vocabulary,
		);
		return new TransducerModel(port, encoder, transducer, symbols, {
			frontEnd,
			close,
		});
	});
}

interface Rest {
	readonly frontEnd: FrontEnd;
	readonly close: () => Promise<void>;
}

class TransducerModel implements TokenModel {
	readonly #port: InferencePort;
	readonly #encoder: InferenceSession;
	readonly #transducer: Transducer;
	readonly #frontEnd: FrontEnd;
	/** Tokens without text. */
	readonly #silent: ReadonlySet<number>;
	readonly togetherMax = togetherMax;
	readonly close: () => Promise<void>;

	constructor(
		port: InferencePort,
		encoder: InferenceSession,
		transducer: Transducer,
		readonly symbols: SymbolTable,
		{ frontEnd, close }: Rest,
	) {
		this.#port = port;
		this.#encoder = encoder;
		this.#transducer = transducer;
		this.#frontEnd = frontEnd;
		this.close = close;
		const unknown = symbols.tokenOf("<unk>");
		this.#silent = new Set(unknown === undefined ? [blank] : [blank, unknown]);
	}

	async tokensOf(
		requests: readonly TokenRequest[],
	): Promise<readonly FoundTokens[]> {
		const transducer = this.#transducer;
		const silent = this.#silent;
		const plain: SearchedSegment[] = [];
		/** Searched beside them, by the number of the request. */
		const favoured = new Map<number, SearchedSegment>();
		for (const [i, { samples, beam, bias, cancelled }] of requests.entries()) {
			const encoded = cancelled() ? nothing : await this.#encode(samples);
			const options = { beam, silent, bias: undefined };
			plain.push({ encoded, cancelled, options });
			if (bias)
				favoured.set(i, { encoded, cancelled, options: { ...options, bias } });
		}
		const found = await searchTogether(transducer, [
			...plain,
			...favoured.values(),
		]);
		const foundFavoured = new Map(
			[...favoured.keys()].map((i, at) => [i, found[plain.length + at]]),
		);
		return requests.map(({ bias, cancelled }, i) => {
			const hypotheses = found[i] ?? "cancelled";
			if (hypotheses === "cancelled" || cancelled()) return "cancelled";
			const text = bestText(hypotheses, this.#best);
			const other = foundFavoured.get(i);
			if (!bias || !other) return text.tokens;
			if (other === "cancelled") return other;
			return withHotwords(text, bestText(other, { ...this.#best, bias }), bias);
		});
	}

	get #best() {
		const { contextSize } = this.#transducer;
		return { contextSize, seconds: secondsPerFrame };
	}

	async #encode(samples: Float32Array): Promise<EncodedFrames> {
		const { values, count, width } = this.#frontEnd.of(samples);
		if (count < featuresMin) return nothing;
		const [x = "", lengths = ""] = this.#encoder.inputNames;
		const [output = "", outputLengths = ""] = this.#encoder.outputNames;
		const found = await this.#encoder.run(
			{
				[x]: this.#port.tensor("float32", values, [1, count, width]),
				[lengths]: lengthTensor(this.#port, this.#encoder, 1, count),
			},
			[output, outputLengths],
		);
		return framesOf("the encoder", found[output], found[outputLengths]);
	}
}

const nothing: EncodedFrames = {
	values: new Float32Array(0),
	count: 0,
	width: 0,
};
