/**
 * A streaming zipformer transducer (Yao et al. 2023, "Zipformer: A faster and better encoder for automatic speech recognition") as a speech recognizer, on
 * the graphs that icefall exports and k2-fsa publishes for sherpa-onnx.
 */
import { withHotwords } from "../favoured-tokens.js";
import type { InferencePort } from "../inference-port.js";
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
import { bestText } from "../transducer/beam.js";
import {
	FavouringSearch,
	TransducerSearch,
} from "../transducer/streaming-search.js";
import type { TimedToken } from "../writing/token-writing.js";
import { openZipformerGraphs, type ZipformerSource } from "./graphs.js";

export const zipformerCapabilities: Capabilities = {
	...streamingCapabilities,
	search: "modified beam search",
};

export const openZipformer = streamingOpener(
	openZipformerModel,
	zipformerCapabilities,
);

/** @throws ModelFault when graphs, symbols and shape do not match. */
async function openZipformerModel(
	port: InferencePort,
	source: ZipformerSource,
	options: { readonly threads: number },
): Promise<StreamingModel> {
	const graphs = await openWithMeasuredThreads(options.threads, (threads) =>
		// every run of the encoder is of a chunk
		openZipformerGraphs(port, source, { threads, memory: "planned" }),
	);
	const { fbank, encoder, transducer, symbols, silent } = graphs;
	const tailSeconds = tailSecondsOf(encoder.shape);
	const tokenStream = <Found>(
		search: FrameSearch<Found>,
		tokensOf: (found: Found, secondsPerFrame: number) => readonly TimedToken[],
	): TokenStream => {
		const stream = new SegmentStream(fbank, encoder, search, { tailSeconds });
		return tokenStreamOf(stream, (decoded) =>
			tokensOf(decoded.found, secondsPerEncodedFrame(decoded)),
		);
	};
	const { contextSize } = transducer;
	const open = ({ beam, bias }: SearchOptions): TokenStream => {
		const options = { beam, bias, silent };
		if (!bias)
			return tokenStream(
				new TransducerSearch(transducer, options),
				(found, seconds) => bestText(found, { contextSize, seconds }).tokens,
			);
		return tokenStream(
			new FavouringSearch(transducer, options),
			({ plain, favoured }, seconds) =>
				withHotwords(
					bestText(plain, { contextSize, seconds }),
					bestText(favoured, { contextSize, seconds, bias }),
					bias,
				),
		);
	};
	return { symbols, open, close: () => graphs.close() };
}
