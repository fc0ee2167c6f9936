/**
 * A streaming zipformer with a CTC head (Yao et al. 2023, "Zipformer: A faster and better encoder for automatic speech recognition") on the graph that icefall
 * exports and k2-fsa publishes for sherpa-onnx: chunks of features in, scores of every token out.
 */
import { icefallFbank } from "../../features/front-end.js";
import { expectBlank } from "../ctc/blank.js";
import { pathTokens, tokensOf } from "../ctc/favouring-search.js";
import type { Spike } from "../ctc/search.js";
import type { InferencePort } from "../inference-port.js";
import { withGraph } from "../open-graphs.js";
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
import {
	type FrameSearch,
	SegmentStream,
	secondsPerEncodedFrame,
	tailSecondsOf,
} from "../streaming/segment-stream.js";
import { SymbolTable, unitsOf } from "../writing/symbol-table.js";
import type { TimedToken } from "../writing/token-writing.js";
import { ZipformerEncoder } from "../zipformer/encoder.js";
import { FavouringSearch, PathSearch } from "./chunk-search.js";
import type { StreamingCtcShape } from "./shape.js";

export interface StreamingCtcSource {
	readonly shape: StreamingCtcShape;
	readonly modelPath: string;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export const streamingCtcCapabilities: Capabilities = {
	...streamingCapabilities,
	search: "CTC best path; prefix beam search with hotwords",
};

export const openStreamingCtc = streamingOpener(
	openStreamingCtcModel,
	streamingCtcCapabilities,
);

/** @throws ModelFault when graph, symbols and shape do not match. */
export async function openStreamingCtcModel(
	port: InferencePort,
	{ shape, tokens, modelPath }: StreamingCtcSource,
	options: { readonly threads: number },
): Promise<StreamingModel> {
	const symbols = new SymbolTable(tokens, unitsOf(tokens));
	const blank = expectBlank(symbols);
	const fbank = icefallFbank(shape.mels, port.filterbank);
	const { encoder, close } = await openWithMeasuredThreads(
		options.threads,
		(threads) =>
			// every run is of a chunk
			withGraph(port, modelPath, { threads, memory: "planned" }, (session) => ({
				encoder: new ZipformerEncoder(port, session, shape),
				close: () => session.close(),
			})),
	);
	const tailSeconds = tailSecondsOf(shape);
	const tokenStream = <Found>(
		search: FrameSearch<Found>,
		tokensOf: (
			found: Found,
			secondsOf: (spike: Spike) => number,
		) => readonly TimedToken[],
	): TokenStream => {
		const stream = new SegmentStream(fbank, encoder, search, { tailSeconds });
		return tokenStreamOf(stream, (decoded) => {
			const secondsPerRow = secondsPerEncodedFrame(decoded);
			return tokensOf(
				decoded.found,
				({ firstRow }) => firstRow * secondsPerRow,
			);
		});
	};
	const head = { symbols, blank };
	const open = ({ beam, bias }: SearchOptions): TokenStream => {
		if (!bias) return tokenStream(new PathSearch(head), pathTokens);
		return tokenStream(
			new FavouringSearch(head, { bias, beam }),
			(found, secondsOf) => tokensOf(found, bias, secondsOf),
		);
	};
	return { symbols, open, close };
}
