/** What a `transcribe` event asks for, and the recognition that it makes. Everything in it is optional, and so is the event itself. */
import { formatOf, rawAudio } from "../../session/audio-source.js";
import {
	defaultSwitches,
	hotwordsMaxOfRequest,
	hotwordsWeightDefault,
	type RecognitionOptions,
} from "../../session/options.js";
import {
	type LanguageChoiceRules,
	type LanguageOptions,
	languageOptions,
} from "../../session/wanted-language.js";
import type { Language } from "../../text/languages.js";
import type { WordSource } from "../../word-lists/references.js";

export interface TurnRequest {
	readonly language: LanguageOptions;
	/** Silence that ends the turn, where this device finds its end. */
	readonly silenceMs: number;
	/** Names and terms that the peer expects, names first. */
	readonly hotwords: readonly string[];
}

/** What requests are read against. */
export interface RequestSources {
	/** Of the installed model. */
	readonly languages: readonly Language[];
	/** Of turns that name none. */
	readonly defaultLanguage: string;
	readonly languageRules: () => LanguageChoiceRules;
	readonly wordLists: WordSource;
	/** The end of a turn is found here. */
	readonly endpointing: boolean;
}

/** Home Assistant's own timers for the same names. */
const silenceMsBy: ReadonlyMap<unknown, number> = new Map([
	["default", 700],
	["relaxed", 1250],
	["aggressive", 250],
]);
const silenceMsDefault = 700;
/** Where this device finds the end, Home Assistant's own ceiling does not apply: one in which nobody speaks has to end, too. */
const unspokenMs = 15_000;
/** A command is short; a file may be read to it, too. */
const durationSecondsMax = 600;

export function plainRequest(sources: RequestSources): TurnRequest {
	return {
		language: readLanguage(undefined, sources),
		silenceMs: silenceMsDefault,
		hotwords: [],
	};
}

/** @param data of a `transcribe` event. @throws CodedError 200002, 200008 */
export function readRequest(
	data: Readonly<Record<string, unknown>>,
	sources: RequestSources,
): TurnRequest {
	const { language, vad_sensitivity: sensitivity } = data;
	const { transcript_names: names, transcript_terms: terms } = data;
	return {
		language: readLanguage(language, sources),
		silenceMs: silenceMsBy.get(sensitivity) ?? silenceMsDefault,
		hotwords: [...textsOf(names), ...textsOf(terms)].slice(
			0,
			hotwordsMaxOfRequest,
		),
	};
}

/** The recognition of a turn. @param rateHz of its first audio. @throws CodedError */
export function turnRecognitionOf(
	{ language, silenceMs, hotwords }: TurnRequest,
	rateHz: number,
	{ wordLists, endpointing }: RequestSources,
): RecognitionOptions {
	return {
		...language,
		...formatOf(rawAudio({ rate: rateHz })),
		gain: 1,
		durationSecondsMax,
		completeAtDuration: true,
		streamed: true,
		oneText: true,
		maxSentenceSilenceMs: silenceMs,
		...(endpointing && { suffixSilenceMs: silenceMs, unspokenMs }),
		...defaultSwitches,
		partials: false,
		...wordLists.resolve(
			{ hotwordsList: hotwords, hotwordsWeight: hotwordsWeightDefault },
			language.language,
			language.languageChoices,
		),
	};
}

function readLanguage(
	name: unknown,
	{ languages, defaultLanguage, languageRules }: RequestSources,
): LanguageOptions {
	const isAbsent = name === undefined || name === null || name === "";
	const given = isAbsent ? defaultLanguage : String(name);
	return languageOptions(given, languages, languageRules());
}

function textsOf(value: unknown): readonly string[] {
	if (!Array.isArray(value)) return [];
	return value.filter((it): it is string => typeof it === "string");
}
