/**
 * Streaming Paraformer (Gao et al. 2022, "Paraformer: Fast and Accurate Parallel Transformer for Non-autoregressive End-to-End Speech Recognition") on the
 * graphs that k2-fsa publishes for sherpa-onnx: 0.6 s at a time, tokens fire where weights add up to one.
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import { type FbankOptions, KaldiFbank } from "../../features/kaldi-fbank.js";
import {
	expectGraph,
	expectNormalization,
	expectSymbols,
} from "../graph-checks.js";
import type { InferencePort } from "../inference-port.js";
import { OpenGraphs } from "../open-graphs.js";
import type { Capabilities } from "../recognizer.js";
import { openWithMeasuredThreads } from "../streaming/measured-threads.js";
import {
	type SearchOptions,
	type StreamingModel,
	streamingCapabilities,
	streamingOpener,
	type TokenStream,
	tokenStreamOf,
} from "../streaming/recognizer.js";
import { SegmentStream, tailSecondsOf } from "../streaming/segment-stream.js";
import { SymbolTable } from "../writing/symbol-table.js";
import { StreamingParaformerEncoder } from "./encoder.js";
import { RowSearch } from "./row-search.js";
import type { StreamingParaformerShape } from "./shape.js";

export interface StreamingParaformerSource {
	readonly shape: StreamingParaformerShape;
	readonly encoderPath: string;
	readonly decoderPath: string;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export const streamingParaformerCapabilities: Capabilities = {
	...streamingCapabilities,
	search: "likeliest token of each place; beam search with hotwords",
};

const mels = 80;
/** FunASR's: samples of 16 bits, with the noise that Kaldi adds to them. */
const features: FbankOptions = {
	mels,
	highHz: sampleRateHz / 2,
	snipEdges: true,
	scale: 32_768,
	dither: 1,
	window: "hamming",
};
/** What a chunk's last frames say is decoded with the next one, and the last token only fires after it. */
const lateSeconds = 0.4;

export const openStreamingParaformer = streamingOpener(
	openStreamingParaformerModel,
	streamingParaformerCapabilities,
);

/** @throws ModelFault when graphs, symbols and shape do not match. */
export async function openStreamingParaformerModel(
	port: InferencePort,
	{ shape, tokens, encoderPath, decoderPath }: StreamingParaformerSource,
	options: { readonly threads: number },
): Promise<StreamingModel> {
	const symbols = new SymbolTable(tokens, "words");
	expectSymbols(symbols, shape.vocabulary, true);
	const width = mels * shape.windowFrames;
	const { negativeMean, inverseDeviation, blocks } = shape;
	expectNormalization(negativeMean, inverseDeviation, width);
	const fbank = new KaldiFbank(features, port.filterbank);
	const { encoder, close } = await openWithMeasuredThreads(
		options.threads,
		(threads) =>
			// every run is of a chunk, or of the tokens in one
			OpenGraphs.with(port, { threads, memory: "planned" }, async (graphs) => {
				const encoder = await graphs.open(encoderPath);
				expectGraph("the encoder", encoder, 2, 3);
				const decoder = await graphs.open(decoderPath);
				expectGraph("the decoder", decoder, 4 + blocks, 2 + blocks);
				const sessions = { encoder, decoder };
				return {
					encoder: new StreamingParaformerEncoder(port, sessions, shape, mels),
					close: () => graphs.close(),
				};
			}),
	);
	const tailSeconds = tailSecondsOf(encoder.shape) + lateSeconds;
	const open = ({ beam, bias }: SearchOptions): TokenStream => {
		const search = new RowSearch(beam, bias);
		const stream = new SegmentStream(fbank, encoder, search, { tailSeconds });
		return tokenStreamOf(stream, ({ found }) => search.tokensOf(found));
	};
	return { symbols, open, close };
}
