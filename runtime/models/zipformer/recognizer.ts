/**
 * A streaming zipformer transducer (Yao et al. 2023, "Zipformer: A faster and better encoder for automatic speech recognition") as a speech recognizer, on
 * the graphs that icefall exports and k2-fsa publishes for sherpa-onnx.
 */
import type { InferencePort } from "../inference-port.js";
import type { Capabilities } from "../recognizer.js";
import {
	type SearchOptions,
	type StreamingModel,
	streamingCapabilities,
	streamingOpener,
	type TokenStream,
} from "../streaming/recognizer.js";
import {
	SegmentStream,
	secondsPerEncodedFrame,
	tailSecondsOf,
} from "../streaming/segment-stream.js";
import { bestOf, emittedBy } from "./beam.js";
import { openZipformerGraphs, type ZipformerSource } from "./graphs.js";
import { TransducerSearch } from "./transducer-search.js";

export const zipformerCapabilities: Capabilities = {
	...streamingCapabilities,
	search: "modified beam search",
};

export const openZipformer = streamingOpener(
	openZipformerModel,
	zipformerCapabilities,
);

/** @throws ModelFault when graphs, symbols and shape do not match. */
export async function openZipformerModel(
	port: InferencePort,
	source: ZipformerSource,
	options: { readonly threads: number },
): Promise<StreamingModel> {
	const graphs = await openZipformerGraphs(port, source, options);
	const { fbank, encoder, transducer, symbols, silent } = graphs;
	const tailSeconds = tailSecondsOf(encoder.shape);
	const open = ({ beam, bias }: SearchOptions): TokenStream => {
		const search = new TransducerSearch(transducer, { beam, bias, silent });
		const stream = new SegmentStream(fbank, encoder, search, { tailSeconds });
		return {
			decode: async (samples, isOpen, cancelled) => {
				const decoded = await stream.decode(samples, isOpen, cancelled);
				if (decoded === "cancelled") return decoded;
				const best = bestOf(decoded.found, bias, transducer.contextSize);
				const secondsPerFrame = secondsPerEncodedFrame(decoded);
				return emittedBy(best).map(({ token, frame, logp }) => ({
					token,
					seconds: frame * secondsPerFrame,
					logp,
				}));
			},
		};
	};
	return { symbols, open, close: () => graphs.close() };
}
