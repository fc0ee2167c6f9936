/**
 * A recognizer of whole segments: a partial recognizes the open segment again from its start. Segments in which nobody speaks never reach the model.
 */
import type { FilterbankPort } from "../../features/filterbank-port.js";
import { frameSonority } from "../../features/sound.js";
import type { Language } from "../../text/languages.js";
import { HotwordGraphs } from "../hotword-graphs.js";
import type { ModelOpener, NamedModel } from "../model-opener.js";
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
	spectrumMels,
} from "../writing/segment-spectrum.js";
import { type TimedToken, writeTokens } from "../writing/token-writing.js";
import { spreadOverSound } from "./estimated-times.js";
import type { TokenModel } from "./token-model.js";

/** What is known of a model besides its graphs. */
export interface OfflineModel extends NamedModel {
	readonly capabilities: Capabilities;
	readonly model: TokenModel;
	/** See InferencePort. */
	readonly filterbank: FilterbankPort | undefined;
}

/** What the kinds have in common. */
export const offlineCapabilities = {
	hotwords: true,
	wordTimes: true,
	punctuation: true,
	streaming: false,
	guards: ["inaudible", "steady"],
} as const satisfies Omit<Capabilities, "search">;

/** Makes a kind's way to open a recognizer of its way to open a model. */
export function offlineOpener<Source>(
	openModel: ModelOpener<Source, TokenModel>,
	capabilities: Capabilities,
): ModelOpener<Source & NamedModel, SpeechRecognizer> {
	return async (port, source, options) => {
		const model = await openModel(port, source, options);
		const { name, languages } = source;
		const { filterbank } = port;
		return new OfflineRecognizer({
			name,
			languages,
			capabilities,
			model,
			filterbank,
		});
	};
}

/** The length of a segment in a batch, relative to the first one's: they should end at about the same time. */
const lengthRatioMax = 1.5;

export class OfflineRecognizer implements SpeechRecognizer {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly capabilities: Capabilities;
	readonly #model: TokenModel;
	readonly #hotwords: HotwordGraphs;
	readonly #analyzer: SegmentAnalyzer;

	constructor({
		name,
		languages,
		capabilities,
		model,
		filterbank,
	}: OfflineModel) {
		this.name = name;
		this.languages = languages;
		this.capabilities = capabilities;
		this.#model = model;
		this.#hotwords = new HotwordGraphs(model.symbols);
		this.#analyzer = new SegmentAnalyzer(filterbank);
	}

	close(): Promise<void> {
		return this.#model.close();
	}

	preparing(hotwords: HotwordOptions): Iterable<void> {
		return this.#hotwords.preparing(hotwords);
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const [found = "cancelled"] = await this.recognizeAll([request]);
		return found;
	}

	nextBatch(waiting: readonly SegmentRequest[]): readonly SegmentRequest[] {
		const [first] = waiting;
		if (!first) return [];
		const isNear = ({ samples }: SegmentRequest) =>
			samples.length <= first.samples.length * lengthRatioMax &&
			samples.length * lengthRatioMax >= first.samples.length;
		return waiting.filter(isNear).slice(0, this.#model.togetherMax);
	}

	async recognizeAll(
		requests: readonly SegmentRequest[],
	): Promise<readonly (Hypothesis | "cancelled")[]> {
		const analyzed = requests.map((request) => ({
			request,
			spectrum: this.#analyzer.spectrumOf(request.samples),
		}));
		const speech = analyzed.filter(({ spectrum }) => !spectrum.silent);
		const found = await this.#model.tokensOf(
			speech.map(({ request }) => ({
				samples: request.samples,
				language: request.language,
				beam: request.beam,
				bias: request.hotwords && this.#hotwords.biasFor(request.hotwords),
				cancelled: request.cancelled ?? (() => false),
			})),
		);
		return analyzed.map((one) => {
			const { request, spectrum } = one;
			if (spectrum.silent !== undefined)
				return emptyHypothesis(spectrum.silent);
			const tokens = found[speech.indexOf(one)] ?? "cancelled";
			if (tokens === "cancelled") return tokens;
			const { symbols, untimed } = this.#model;
			const timed = untimed && request.words;
			return writeTokens(
				timed ? this.#estimated(tokens, spectrum) : tokens,
				symbols,
				request,
				() => spectrum,
				!untimed,
			);
		});
	}

	#estimated(tokens: readonly TimedToken[], { logMel }: SegmentSpectrum) {
		const sonority = frameSonority(logMel, spectrumMels);
		return spreadOverSound(tokens, this.#model.symbols, sonority);
	}
}
