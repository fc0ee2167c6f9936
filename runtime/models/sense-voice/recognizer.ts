/**
 * SenseVoice (FunAudioLLM 2024, "FunAudioLLM: Voice Understanding and Generation Foundation Models") as a speech recognizer, on the graph that k2-fsa
 * publishes for sherpa-onnx. One run processes a segment: the first four output rows are tags (language, emotion, event, style), the rest are CTC scores.
 */

import {
	type FilterbankPort,
	hopSeconds,
} from "../../features/filterbank-port.js";
import type { Frames } from "../../features/front-end.js";
import { StackedFbank } from "../../features/stacked-fbank.js";
import type { Language } from "../../text/languages.js";
import { searchRows } from "../ctc/favouring-search.js";
import { bestPath, type CtcScores } from "../ctc/search.js";
import {
	expectNames,
	expectNormalization,
	expectSymbols,
} from "../graph-checks.js";
import { HotwordGraphs } from "../hotword-graphs.js";
import type { InferencePort, InferenceSession } from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import { ScoreRows } from "../offline/score-rows.js";
import type { FoundTokens } from "../offline/token-model.js";
import { withGraph } from "../open-graphs.js";
import {
	type Capabilities,
	emptyHypothesis,
	type HotwordOptions,
	type Hypothesis,
	type LikeliestLanguage,
	type SegmentRequest,
	type SpeechRecognizer,
} from "../recognizer.js";
import { SegmentAnalyzer } from "../writing/segment-spectrum.js";
import { SymbolTable } from "../writing/symbol-table.js";
import { writeTokens } from "../writing/token-writing.js";
import type { SenseVoiceShape } from "./shape.js";

export interface SenseVoicePackage {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly shape: SenseVoiceShape;
	readonly modelPath: string;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export const senseVoiceCapabilities: Capabilities = {
	search: "CTC best path; prefix beam search with hotwords",
	hotwords: true,
	wordTimes: true,
	punctuation: true,
	streaming: false,
	guards: ["inaudible", "steady", "no-speech"],
};

const mels = 80;
/** Rows of the output before the text's: language, emotion, event, style. */
const tagRows = 4;
/** For mixed speech the model detects the language. */
const languageIdNames: Readonly<
	Record<Language, keyof SenseVoiceShape["languageIds"]>
> = {
	"ja-JP": "ja",
	"en-US": "en",
	"zh-cmn-Hans-CN": "zh",
	"ja-JP-en-US": "auto",
	"zh-cmn-Hans-CN-en-US": "auto",
};
const inputs = ["x", "x_length", "language", "text_norm"] as const;
const noSpeechTag = "<|nospeech|>";
/** Language tags in the first row that are reported for mixed speech. */
const spokenTags: Readonly<Record<string, Language>> = {
	"<|zh|>": "zh-cmn-Hans-CN",
	"<|yue|>": "zh-cmn-Hans-CN",
	"<|ja|>": "ja-JP",
	"<|en|>": "en-US",
};
/** Of a language tag; with less the audio is a cough, or a word that several languages have. */
const sureProbability = 0.9;

/** For mixed speech the model says which language it is. */
const identifying = {
	language: "zh-cmn-Hans-CN-en-US",
	punctuation: false,
} as const;

export async function openSenseVoice(
	port: InferencePort,
	source: SenseVoicePackage,
	options: { readonly threads: number },
): Promise<SpeechRecognizer> {
	const { shape, tokens, modelPath } = source;
	const symbols = new SymbolTable(tokens);
	expectSymbols(symbols, shape.vocabulary);
	const features = featuresOf(shape, port.filterbank);
	const pooled = { ...options, memory: "pooled" } as const;
	return withGraph(port, modelPath, pooled, (session) => {
		expectNames(modelPath, "SenseVoice", session, { inputs });
		return new SenseVoiceRecognizer(port, session, source, symbols, features);
	});
}

function featuresOf(
	shape: SenseVoiceShape,
	filterbank: FilterbankPort | undefined,
): StackedFbank {
	const { windowFrames, negativeMean, inverseDeviation } = shape;
	const width = mels * windowFrames;
	expectNormalization(negativeMean, inverseDeviation, width);
	const scale = shape.sixteenBit ? 32_768 : 1;
	return new StackedFbank({ ...shape, mels, scale }, filterbank);
}

class SenseVoiceRecognizer implements SpeechRecognizer {
	readonly #port: InferencePort;
	readonly #session: InferenceSession;
	readonly #source: SenseVoicePackage;
	readonly #symbols: SymbolTable;
	readonly #features: StackedFbank;
	readonly capabilities = senseVoiceCapabilities;
	readonly name: string;
	readonly languages: readonly Language[];
	readonly #hotwords: HotwordGraphs;
	readonly #analyzer: SegmentAnalyzer;

	constructor(
		port: InferencePort,
		session: InferenceSession,
		source: SenseVoicePackage,
		symbols: SymbolTable,
		features: StackedFbank,
	) {
		this.#port = port;
		this.#session = session;
		this.#source = source;
		this.#symbols = symbols;
		this.#features = features;
		this.name = source.name;
		this.languages = source.languages;
		this.#hotwords = new HotwordGraphs(symbols);
		this.#analyzer = new SegmentAnalyzer(port.filterbank);
	}

	preparing(hotwords: HotwordOptions): Iterable<void> {
		return this.#hotwords.preparing(hotwords);
	}

	close(): Promise<void> {
		return this.#session.close();
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const spectrum = this.#analyzer.spectrumOf(request.samples);
		if (spectrum.silent !== undefined) return emptyHypothesis(spectrum.silent);
		const stacked = this.#features.of(request.samples);
		if (stacked.count === 0) return emptyHypothesis("inaudible");
		if (request.cancelled?.()) return "cancelled";
		const table = await this.#run(stacked, request);
		try {
			const scores = this.#scoresOf(table);
			const { tag } = this.#languageTag(scores);
			if (tag === noSpeechTag) return emptyHypothesis("no-speech");
			const timedTokens = this.#search(scores, request);
			if (timedTokens === "cancelled") return timedTokens;
			const written = writeTokens(
				timedTokens,
				this.#symbols,
				request,
				() => spectrum,
			);
			const isMixed = languageIdNames[request.language] === "auto";
			const spokenIn = isMixed ? spokenTags[tag] : undefined;
			return spokenIn ? { ...written, spokenIn } : written;
		} finally {
			table.dispose();
		}
	}

	async identifyLanguage(
		samples: Float32Array,
		choices: readonly Language[],
	): Promise<LikeliestLanguage | undefined> {
		if (this.#analyzer.spectrumOf(samples).silent !== undefined)
			return undefined;
		const stacked = this.#features.of(samples);
		if (stacked.count === 0) return undefined;
		const table = await this.#run(stacked, identifying);
		try {
			const { tag, logp } = this.#languageTag(this.#scoresOf(table));
			const language = spokenTags[tag];
			return language && choices.includes(language)
				? { language, isSure: Math.exp(logp) >= sureProbability }
				: undefined;
		} finally {
			table.dispose();
		}
	}

	get #secondsPerRow(): number {
		return this.#source.shape.hopFrames * hopSeconds;
	}

	async #run(
		{ values, count, width }: Frames,
		{ language, punctuation }: Pick<SegmentRequest, "language" | "punctuation">,
	): Promise<ScoreRows> {
		const { languageIds, withMarks, withoutMarks } = this.#source.shape;
		const number = (value: number) =>
			this.#port.tensor("int32", Int32Array.of(value), [1]);
		const [output = ""] = this.#session.outputNames;
		const found = await this.#session.run(
			{
				x: this.#port.tensor("float32", values, [1, count, width]),
				x_length: number(count),
				language: number(languageIds[languageIdNames[language]]),
				text_norm: number(punctuation ? withMarks : withoutMarks),
			},
			[output],
		);
		return new ScoreRows("the model", found[output]);
	}

	#scoresOf(table: ScoreRows): CtcScores {
		const { vocabulary } = this.#source.shape;
		if (table.width !== vocabulary)
			throw new ModelFault(
				`the model scores ${table.width} tokens, but the manifest has ${vocabulary}`,
			);
		return { table, blank: 0, firstRow: tagRows, rows: table.count };
	}

	/** The language tag of the first row, empty where there is none, and the natural logarithm of its probability. */
	#languageTag(scores: CtcScores): { tag: string; logp: number } {
		const [language] = bestPath({ ...scores, firstRow: 0, rows: 1 });
		if (!language) return { tag: "", logp: Number.NEGATIVE_INFINITY };
		const { token, logp } = language;
		return { tag: this.#symbols.symbol(token), logp };
	}

	#search(scores: CtcScores, request: SegmentRequest): FoundTokens {
		const { hotwords, beam, cancelled = () => false } = request;
		return searchRows(scores, {
			beam,
			cancelled,
			bias: hotwords && this.#hotwords.biasFor(hotwords),
			secondsOf: ({ row }) => (row - tagRows) * this.#secondsPerRow,
		});
	}
}
