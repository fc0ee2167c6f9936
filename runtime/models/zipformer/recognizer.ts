/**
 * A streaming zipformer transducer (Yao et al. 2023, "Zipformer: A faster and better encoder for automatic speech recognition") as a speech recognizer, on
 * the graphs that icefall exports and k2-fsa publishes for sherpa-onnx.
 *
 * INVARIANT: the state kept for an open segment does not change its result (segment-stream.ts).
 */

import { sampleRateHz } from "../../audio/sample-rate.js";
import { KaldiFbank } from "../../features/kaldi-fbank.js";
import type { Language } from "../../text/languages.js";
import { HotwordGraphs } from "../hotword-graphs.js";
import type { InferencePort } from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import type {
	Capabilities,
	HotwordOptions,
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../recognizer.js";
import { SymbolTable } from "../writing/symbol-table.js";
import {
	analyzeSegment,
	rejectedHypothesis,
	type SegmentSpectrum,
	writeTokens,
} from "../writing/token-writing.js";
import { bestOf, emittedBy } from "./beam.js";
import { ZipformerEncoder } from "./encoder.js";
import { SegmentStream, type StreamState } from "./segment-stream.js";
import type { ZipformerShape } from "./shape.js";
import { blank, Transducer } from "./transducer.js";

export interface ZipformerPackage {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly shape: ZipformerShape;
	readonly encoderPath: string;
	readonly decoderPath: string;
	readonly joinerPath: string;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export const zipformerCapabilities: Capabilities = {
	search: "modified beam search",
	hotwords: true,
	wordTimes: true,
	punctuation: false,
	streaming: true,
	guards: ["inaudible", "steady"],
};

/** Upper frequency of lhotse's features, which icefall trains on: 400 Hz below half the sample rate. */
const highHz = 7600;
const secondsPerFeature = 0.01;
/** An open segment is checked for speech up to this length; a longer one was checked at its beginning. A closed segment is always checked. */
const checkedSamplesMax = sampleRateHz * 3;

export async function openZipformer(
	port: InferencePort,
	source: ZipformerPackage,
	options: { readonly threads: number },
): Promise<SpeechRecognizer> {
	const { shape, tokens } = source;
	const symbols = new SymbolTable(tokens, shape.units);
	if (symbols.size < shape.vocabulary)
		throw new ModelFault(
			`tokens.txt has ${symbols.size} symbols, the model scores ${shape.vocabulary}`,
		);
	const encoder = await port.open(source.encoderPath, options);
	// too little work to share between threads
	const oneThread = { threads: 1 };
	const decoder = await port.open(source.decoderPath, oneThread);
	const joiner = await port.open(source.joinerPath, oneThread);
	return new ZipformerRecognizer(
		source,
		new ZipformerEncoder(port, encoder, shape),
		new Transducer(port, decoder, joiner, shape.contextSize, shape.vocabulary),
		symbols,
		async () => {
			await Promise.all([encoder.close(), decoder.close(), joiner.close()]);
		},
	);
}

/** A segment's stream and its options: a request with other options begins a new stream. */
interface OpenStream {
	readonly beam: number;
	readonly list: HotwordOptions["list"] | undefined;
	readonly weight: number | undefined;
	readonly stream: SegmentStream;
}

class ZipformerRecognizer implements SpeechRecognizer {
	readonly #source: ZipformerPackage;
	readonly #encoder: ZipformerEncoder;
	readonly #transducer: Transducer;
	readonly #symbols: SymbolTable;
	readonly capabilities = zipformerCapabilities;
	readonly name: string;
	readonly languages: readonly Language[];
	readonly #fbank: KaldiFbank;
	readonly #hotwords: HotwordGraphs;
	readonly #silent: ReadonlySet<number>;
	readonly #open = new WeakMap<object, OpenStream>();

	constructor(
		source: ZipformerPackage,
		encoder: ZipformerEncoder,
		transducer: Transducer,
		symbols: SymbolTable,
		readonly close: () => Promise<void>,
	) {
		this.#source = source;
		this.#encoder = encoder;
		this.#transducer = transducer;
		this.#symbols = symbols;
		this.name = source.name;
		this.languages = source.languages;
		const { mels } = source.shape;
		this.#fbank = new KaldiFbank({
			mels,
			window: "povey",
			highHz,
			snipEdges: false,
			scale: 1,
		});
		this.#hotwords = new HotwordGraphs(symbols);
		const unknown = symbols.tokenOf("<unk>");
		this.#silent = new Set(unknown === undefined ? [blank] : [blank, unknown]);
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
		const { vocabulary } = this.#source.shape;
		const opened: OpenStream = {
			beam,
			list: hotwords?.list,
			weight: hotwords?.weight,
			stream: new SegmentStream(this.#fbank, this.#encoder, this.#transducer, {
				beam,
				silent: this.#silent,
				vocabulary,
				bias,
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
		const best = bestOf(hypotheses, bias, this.#transducer.contextSize);
		const secondsPerFrame = (frame * secondsPerFeature) / Math.max(1, encoded);
		const timedTokens = emittedBy(best).map(({ token, frame: at, logp }) => ({
			token,
			seconds: at * secondsPerFrame,
			logp,
		}));
		return writeTokens(timedTokens, this.#symbols, request, analyzed);
	}
}
