/**
 * A streaming zipformer transducer (Yao et al. 2023, "Zipformer: A faster and better encoder for automatic speech recognition") as a speech recognizer, on
 * the graphs that icefall exports and k2-fsa publishes for sherpa-onnx.
 *
 * INVARIANT: the state kept for an open segment does not change its result (segment-stream.ts).
 */

import { sampleRateHz } from "../../audio/sample-rate.js";
import type { Language } from "../../text/languages.js";
import { HotwordGraphs } from "../hotword-graphs.js";
import type { InferencePort } from "../inference-port.js";
import type {
	Capabilities,
	HotwordOptions,
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../recognizer.js";
import {
	analyzeSegment,
	rejectedHypothesis,
	type SegmentSpectrum,
	writeTokens,
} from "../writing/token-writing.js";
import { bestOf, emittedBy } from "./beam.js";
import {
	openZipformerGraphs,
	type ZipformerGraphs,
	type ZipformerSource,
} from "./graphs.js";
import { SegmentStream, type StreamState } from "./segment-stream.js";

export interface ZipformerPackage extends ZipformerSource {
	readonly name: string;
	readonly languages: readonly Language[];
}

export const zipformerCapabilities: Capabilities = {
	search: "modified beam search",
	hotwords: true,
	wordTimes: true,
	punctuation: true,
	streaming: true,
	guards: ["inaudible", "steady"],
};

/** Silence after a segment that has ended. */
const tailSeconds = 0.5;
const secondsPerFeature = 0.01;
/** An open segment is checked for speech up to this length; a longer one was checked at its beginning. A closed segment is always checked. */
const checkedSamplesMax = sampleRateHz * 3;

export async function openZipformer(
	port: InferencePort,
	source: ZipformerPackage,
	options: { readonly threads: number },
): Promise<SpeechRecognizer> {
	const graphs = await openZipformerGraphs(port, source, options);
	return new ZipformerRecognizer(source, graphs);
}

/** A segment's stream and its options: a request with other options begins a new stream. */
interface OpenStream {
	readonly beam: number;
	readonly list: HotwordOptions["list"] | undefined;
	readonly weight: number | undefined;
	readonly stream: SegmentStream;
}

class ZipformerRecognizer implements SpeechRecognizer {
	readonly #graphs: ZipformerGraphs;
	readonly capabilities = zipformerCapabilities;
	readonly name: string;
	readonly languages: readonly Language[];
	readonly #hotwords: HotwordGraphs;
	readonly #open = new WeakMap<object, OpenStream>();

	constructor(source: ZipformerPackage, graphs: ZipformerGraphs) {
		this.#graphs = graphs;
		this.name = source.name;
		this.languages = source.languages;
		this.#hotwords = new HotwordGraphs(graphs.symbols);
	}

	close(): Promise<void> {
		return this.#graphs.close();
	}

	preparing(hotwords: HotwordOptions): Iterable<void> {
		return this.#hotwords.preparing(hotwords);
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const { samples, open = false } = request;
		let spectrum: SegmentSpectrum | undefined;
		const analyzed = () => {
			spectrum ??= analyzeSegment(samples);
			return spectrum;
		};
		if (!open || samples.length <= checkedSamplesMax) {
			const { silent } = analyzed();
			if (silent !== undefined) return rejectedHypothesis(silent);
		}
		const { stream } = this.#streamOf(request);
		const decoded = await stream.decode(samples, open, request.cancelled);
		if (decoded === "cancelled") return decoded;
		return this.#write(decoded, stream, request, analyzed);
	}

	#streamOf(request: SegmentRequest): OpenStream {
		const { segmentKey, beam, hotwords } = request;
		const known = segmentKey && this.#open.get(segmentKey);
		if (
			known &&
			known.beam === beam &&
			known.list === hotwords?.list &&
			known.weight === hotwords?.weight
		)
			return known;
		const bias = hotwords && this.#hotwords.biasFor(hotwords);
		const { fbank, encoder, transducer, silent } = this.#graphs;
		const opened: OpenStream = {
			beam,
			list: hotwords?.list,
			weight: hotwords?.weight,
			stream: new SegmentStream(fbank, encoder, transducer, {
				beam,
				silent,
				bias,
				tailSeconds,
			}),
		};
		if (segmentKey) this.#open.set(segmentKey, opened);
		return opened;
	}

	#write(
		{ frame, encoded, hypotheses }: StreamState,
		stream: SegmentStream,
		request: SegmentRequest,
		analyzed: () => SegmentSpectrum,
	): Hypothesis {
		const { bias } = stream.options;
		const { transducer, symbols } = this.#graphs;
		const best = bestOf(hypotheses, bias, transducer.contextSize);
		const secondsPerFrame = (frame * secondsPerFeature) / Math.max(1, encoded);
		const timedTokens = emittedBy(best).map(({ token, frame: at, logp }) => ({
			token,
			seconds: at * secondsPerFrame,
			logp,
		}));
		return writeTokens(timedTokens, symbols, request, analyzed);
	}
}
