/**
 * A recognizer of segments that grow: an open segment is continued from where it was decoded, so a partial costs only what is new in it. Segments in which
 * nobody speaks never reach the model.
 *
 * INVARIANT: what is kept for an open segment does not change its result (segment-stream.ts).
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { Language } from "../../text/languages.js";
import { HotwordGraphs, type TokenBias } from "../hotword-graphs.js";
import type { ModelOpener, NamedModel } from "../model-opener.js";
import type { FoundTokens } from "../offline/token-model.js";
import {
	type Capabilities,
	emptyHypothesis,
	type HotwordOptions,
	type Hypothesis,
	type SegmentRequest,
	type SpeechRecognizer,
} from "../recognizer.js";
import {
	SegmentAnalyzer,
	type SegmentSpectrum,
} from "../writing/segment-spectrum.js";
import type { SymbolTable } from "../writing/symbol-table.js";
import { type TimedToken, writeTokens } from "../writing/token-writing.js";
import type { SegmentStream, StreamState } from "./segment-stream.js";

export interface SearchOptions {
	/** Hypotheses kept. */
	readonly beam: number;
	/** Hotwords to favour. */
	readonly bias: TokenBias | undefined;
}

/** One segment. */
export interface TokenStream {
	/**
	 * @param samples the segment so far, from its start: mono, 16 kHz, [-1, 1].
	 * @param open the segment may still grow. @param cancelled polled between chunks.
	 */
	decode(
		samples: Float32Array,
		open: boolean,
		cancelled?: () => boolean,
	): Promise<FoundTokens>;
	/** After the last decode. */
	end(): void;
}

/** @param tokensOf of what was found so far. */
export function tokenStreamOf<Found>(
	stream: SegmentStream<Found>,
	tokensOf: (decoded: StreamState<Found>) => readonly TimedToken[],
): TokenStream {
	return {
		decode: async (samples, isOpen, cancelled) => {
			const decoded = await stream.decode(samples, isOpen, cancelled);
			return decoded === "cancelled" ? decoded : tokensOf(decoded);
		},
		end: () => stream.end(),
	};
}

/** The part of a streaming recognizer that differs between kinds of model. */
export interface StreamingModel {
	readonly symbols: SymbolTable;
	open(options: SearchOptions): TokenStream;
	close(): Promise<void>;
}

/** What the kinds have in common. */
export const streamingCapabilities = {
	hotwords: true,
	wordTimes: true,
	punctuation: true,
	streaming: true,
	guards: ["inaudible", "steady"],
} as const satisfies Omit<Capabilities, "search">;

/** Makes a kind's way to open a recognizer of its way to open a model. */
export function streamingOpener<Source>(
	openModel: ModelOpener<Source, StreamingModel>,
	capabilities: Capabilities,
): ModelOpener<Source & NamedModel, SpeechRecognizer> {
	return async (port, source, options) => {
		const model = await openModel(port, source, options);
		const analyzer = new SegmentAnalyzer(port.filterbank);
		return new StreamingRecognizer(source, capabilities, model, analyzer);
	};
}

/** An open segment is checked for speech up to this length; a longer one was checked at its beginning. A closed segment is always checked. */
const checkedSamplesMax = sampleRateHz * 3;

interface OpenStream {
	readonly beam: number;
	readonly list: HotwordOptions["list"] | undefined;
	readonly weight: number | undefined;
	readonly stream: TokenStream;
}

class StreamingRecognizer implements SpeechRecognizer {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly capabilities: Capabilities;
	readonly #model: StreamingModel;
	readonly #hotwords: HotwordGraphs;
	readonly #analyzer: SegmentAnalyzer;
	readonly #open = new WeakMap<object, OpenStream>();

	constructor(
		{ name, languages }: NamedModel,
		capabilities: Capabilities,
		model: StreamingModel,
		analyzer: SegmentAnalyzer,
	) {
		this.name = name;
		this.languages = languages;
		this.capabilities = capabilities;
		this.#model = model;
		this.#hotwords = new HotwordGraphs(model.symbols);
		this.#analyzer = analyzer;
	}

	close(): Promise<void> {
		return this.#model.close();
	}

	preparing(hotwords: HotwordOptions): Iterable<void> {
		return this.#hotwords.preparing(hotwords);
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const { samples, open = false, cancelled } = request;
		let spectrum: SegmentSpectrum | undefined;
		const analyzed = () => {
			spectrum ??= this.#analyzer.spectrumOf(samples);
			return spectrum;
		};
		if (!open || samples.length <= checkedSamplesMax) {
			const { silent } = analyzed();
			if (silent !== undefined) return emptyHypothesis(silent);
		}
		const stream = this.#streamOf(request);
		const tokens = await stream.decode(samples, open, cancelled);
		// nobody can come back to a segment without a key
		if (!request.segmentKey) stream.end();
		if (tokens === "cancelled") return tokens;
		return writeTokens(tokens, this.#model.symbols, request, analyzed);
	}

	#streamOf({ segmentKey, beam, hotwords }: SegmentRequest): TokenStream {
		const known = segmentKey && this.#open.get(segmentKey);
		if (
			known &&
			known.beam === beam &&
			known.list === hotwords?.list &&
			known.weight === hotwords?.weight
		)
			return known.stream;
		const bias = hotwords && this.#hotwords.biasFor(hotwords);
		const stream = this.#model.open({ beam, bias });
		if (segmentKey)
			this.#open.set(segmentKey, {
				beam,
				stream,
				list: hotwords?.list,
				weight: hotwords?.weight,
			});
		return stream;
	}
}
