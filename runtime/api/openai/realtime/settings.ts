/** What a Realtime session recognizes, and how: the values in force, which each update changes (settings-update.ts) and each answer shows (session-object.ts). */
import { formatOf, rawAudio } from "../../../session/audio-source.js";
import {
	defaultSwitches,
	endlessSpeech,
	hotwordsMaxOfRequest,
	hotwordsWeightDefault,
	type RecognitionOptions,
	sentenceSilenceMsDefault,
} from "../../../session/options.js";
import type { WordSource } from "../../../word-lists/references.js";
import { promptWords } from "../prompt.js";
import { chosenLanguage, type RequestRules } from "../transcription-request.js";

/** The current protocol, and the one that `OpenAI-Beta: realtime=v1` stands for. */
export type Dialect = "ga" | "beta";

export const encodings = {
	"audio/pcm": { encoding: "pcm_s16le", rateHz: 24_000 },
	"audio/pcmu": { encoding: "mulaw", rateHz: 8000 },
	"audio/pcma": { encoding: "alaw", rateHz: 8000 },
} as const;

export interface AudioFormat {
	readonly type: keyof typeof encodings;
	readonly rateHz: number;
}

export const delays = ["minimal", "low", "medium", "high", "xhigh"] as const;
/** How sure a text must be before its beginning is sent in a delta. */
export type Delay = (typeof delays)[number];

export const eagernesses = ["low", "medium", "high", "auto"] as const;
export type Eagerness = (typeof eagernesses)[number];

/** Who finds the end of a sentence. */
export type TurnDetection =
	/** The client, which commits. */
	| { readonly is: "manual" }
	| {
			readonly is: "server_vad";
			/** 0 to 1. */
			readonly threshold: number;
			readonly prefixPaddingMs: number;
			readonly silenceMs: number;
	  }
	| { readonly is: "semantic_vad"; readonly eagerness: Eagerness };

export interface RealtimeSettings {
	readonly format: AudioFormat;
	/** As given: any name means the installed model. */
	readonly model: string;
	readonly language: string | undefined;
	readonly languages: readonly string[];
	readonly keywords: readonly string[];
	readonly prompt: string | undefined;
	readonly delay: Delay;
	readonly turns: TurnDetection;
	readonly logprobs: boolean;
}

export interface SettingsSources extends RequestRules {
	readonly wordLists: WordSource;
}

export const defaultTurns = {
	is: "server_vad",
	threshold: 0.5,
	prefixPaddingMs: 300,
	silenceMs: 500,
} as const;

export const defaultSettings: RealtimeSettings = {
	format: { type: "audio/pcm", rateHz: 24_000 },
	model: "whisper-1",
	language: undefined,
	languages: [],
	keywords: [],
	prompt: undefined,
	delay: "low",
	turns: defaultTurns,
	logprobs: false,
};

const silenceMsBy: Readonly<Record<Eagerness, number>> = {
	low: 1200,
	medium: 800,
	auto: 800,
	high: 400,
};

/** @throws CodedError 200002, 200008 */
export function realtimeRecognitionOf(
	settings: RealtimeSettings,
	sources: SettingsSources,
): RecognitionOptions {
	const { format, turns, delay } = settings;
	const { encoding } = encodings[format.type];
	const language = chosenLanguage(
		settings.language,
		settings.languages,
		sources,
	);
	const hotwordsList = [
		...settings.keywords,
		...promptWords(settings.prompt ?? ""),
	].slice(0, hotwordsMaxOfRequest);
	return {
		...language,
		...formatOf(rawAudio({ encoding, rate: format.rateHz })),
		gain: 1,
		...endlessSpeech,
		...sentencesOf(turns),
		...defaultSwitches,
		words: settings.logprobs,
		partials: delay !== "xhigh",
		stablePartials: delay !== "minimal",
		...sources.wordLists.resolve(
			{ hotwordsList, hotwordsWeight: hotwordsWeightDefault },
			language.language,
			language.languageChoices,
		),
	};
}

function sentencesOf(
	turns: TurnDetection,
): Pick<
	RecognitionOptions,
	"oneText" | "keepsWhole" | "dynamicBreak" | "maxSentenceSilenceMs"
> {
	switch (turns.is) {
		case "manual":
			return { oneText: true, maxSentenceSilenceMs: sentenceSilenceMsDefault };
		case "server_vad":
			return { keepsWhole: false, maxSentenceSilenceMs: turns.silenceMs };
		case "semantic_vad":
			return {
				keepsWhole: false,
				dynamicBreak: true,
				maxSentenceSilenceMs: silenceMsBy[turns.eagerness],
			};
	}
}

/** Bytes of a second. */
export function bytesPerSecondOf({ type, rateHz }: AudioFormat): number {
	return type === "audio/pcm" ? 2 * rateHz : rateHz;
}
