/**
 * Options of a recognition: the request's options, checked, with every default filled in. Each is declared here once; request-options.ts maps
 * them to requests.
 */

import { type Static, type TBoolean, Type } from "@sinclair/typebox";
import {
	type AudioFormat,
	audioFormats,
	rawChannelsMax,
} from "../audio/container.js";
import { rateHzMax, rateHzMin } from "../audio/sample-rate.js";
import type { HotwordOptions } from "../models/recognizer.js";
import type { Owner } from "../owner.js";
import type { Language } from "../text/languages.js";
import { languages } from "../text/languages.js";
import type { WakeWord } from "../words/wake-word.js";
import type { WordList } from "../words/word-list.js";

/** Hotwords that a request carries itself; more are in a stored list. */
export const hotwordsMaxOfRequest = 100;
export const hotwordsWeightDefault = 0.4;
/** Silence that ends a segment, of speech that does not come from a telephone. */
export const sentenceSilenceMsDefault = 800;

/** Of speech that comes as it is spoken and that no duration ends: a connection's or a microphone's. */
export const endlessSpeech = {
	durationSecondsMax: Number.POSITIVE_INFINITY,
	streamed: true,
} as const;

/** How audio is stored, and who owns it. */
export interface RecordingRequest {
	readonly format: "mp3" | "pcm" | "wav";
	readonly owner: Owner;
	/** For links to this server, as the caller addresses it: `http://kiosk:7100`; empty if unknown. */
	readonly baseUrl: string;
}

/**
 * The on/off options of every recognition: their request parameter and default. A new switch needs a line here and the code that applies it:
 * requests of every kind, files, and other devices of a site pass it along.
 */
export const switches = {
	punctuation: {
		request: "enable_punctuation_prediction",
		byDefault: true,
		meaning: "Punctuation in the text.",
	},
	inverseTextNormalization: {
		request: "enable_inverse_text_normalization",
		byDefault: true,
		meaning: "Numbers, dates and amounts as they are written.",
	},
	modalParticleFilter: {
		request: "enable_modal_particle_filter",
		byDefault: true,
		meaning: "Leave out filler words.",
	},
	words: {
		request: "enable_words",
		byDefault: false,
		meaning: "Words with their times.",
	},
} as const;

export type SwitchName = keyof typeof switches;
export type Switches = Readonly<Record<SwitchName, boolean>>;

export function switchesBy<V>(
	make: (name: SwitchName) => V,
): Record<SwitchName, V> {
	const names = Object.keys(switches) as SwitchName[];
	const made = names.map((name) => [name, make(name)]);
	return Object.fromEntries(made) as Record<SwitchName, V>;
}

export const defaultSwitches: Switches = switchesBy(
	(name) => switches[name].byDefault,
);
export const switchedOff: Switches = switchesBy(() => false);

/** Options that are plain values: stored with a task, and passed from one device to another. */
export const plainOptions = Type.Object({
	language: Type.Unsafe<Language>({ type: "string", enum: languages }),
	format: Type.Unsafe<AudioFormat>({ type: "string", enum: audioFormats }),
	/** Of raw audio; containers carry their own. */
	sampleRateHz: Type.Integer({ minimum: rateHzMin, maximum: rateHzMax }),
	/** Interleaved channels of raw audio, averaged to one. Default 1. */
	rawChannels: Type.Optional(
		Type.Integer({ minimum: 1, maximum: rawChannelsMax }),
	),
	/** Amplitude factor. */
	gain: Type.Number({ minimum: 1, maximum: 20 }),
	/** Audio past it is ignored: the recognition completes with why "duration", and the caller reports that in its own way. */
	durationSecondsMax: Type.Number({ minimum: 1 }),
	/** Silence that ends a segment. */
	maxSentenceSilenceMs: Type.Integer({ minimum: 0, maximum: 60_000 }),
	...switchesBy((): TBoolean => Type.Boolean()),
	/** Partials are requested. */
	partials: Type.Boolean(),
	/** False: finals are emitted and then forgotten, and `completed` has no text. For hours of speech. Default true. */
	keepsWhole: Type.Optional(Type.Boolean()),
	/** The text's reading is requested, too (`enable_spoken`); Japanese only. */
	spoken: Type.Optional(Type.Boolean()),
	/** Containers are decoded while they arrive, for live speech; otherwise once they are complete. */
	streamed: Type.Optional(Type.Boolean()),
	/** The text is a translation: speech in this language, which is not mixed, written in `language`, which is English. */
	translatedFrom: Type.Optional(
		Type.Unsafe<Language>({ type: "string", enum: languages }),
	),
	/** One text is wanted, not sentences, so speech is recognized in passages: `maxSentenceSilenceMs` and `dynamicBreak` have no effect then. */
	oneText: Type.Optional(Type.Boolean()),
	/** Marks are left out later: corrections and forbidden words see the text without them. */
	listsIgnoreMarks: Type.Optional(Type.Boolean()),
});

export type PlainOptions = Readonly<Static<typeof plainOptions>>;

/** The plain options, without other properties. */
export function plainOptionsOf<Given extends Partial<PlainOptions>>(
	options: Given,
): Pick<Given, keyof Given & keyof PlainOptions> {
	const plain = Object.entries(options).filter(
		([name, value]) =>
			value !== undefined && Object.hasOwn(plainOptions.properties, name),
	);
	return Object.fromEntries(plain) as Pick<
		Given,
		keyof Given & keyof PlainOptions
	>;
}

/** Speech is recognized only after one of these phrases. */
export interface WakeOptions {
	/** At least one. */
	readonly words: readonly WakeWord[];
	/** Time after a wake word in which speech must begin. */
	readonly seconds: number;
	/** One was said before the first audio: a recognition that continues another. */
	readonly awake?: boolean;
}

export interface RecognitionOptions extends PlainOptions {
	/** At `durationSecondsMax`, the recognition completes with what was recognized so far (`why` is "duration"). */
	readonly completeAtDuration?: boolean;
	/** The silence that ends a segment follows the speaker's own pauses, between 0.5 and 1.5 times the setting. */
	readonly dynamicBreak?: boolean;
	/** This much silence after speech completes the recognition (`why` is "suffix-silence"); 0: the end of the speech does. Absent: never. */
	readonly suffixSilenceMs?: number;
	/** So does this much audio in which nobody speaks. Absent: never. */
	readonly unspokenMs?: number;
	readonly wake?: WakeOptions;
	readonly hotwords?: HotwordOptions;
	/** Correction vocabularies, applied in this order. */
	readonly corrections?: readonly WordList[];
	readonly forbidden?: readonly WordList[];
	/** Partials have words, too. */
	readonly partialWords?: boolean;
	/** Partials come also where only their stable part has grown: for clients that can only append. */
	readonly stablePartials?: boolean;
	/** Minimum amount of speech between two partials; absent: the default. */
	readonly partialMs?: number;
	/** The audio is stored for the caller to fetch (`audio_url`). */
	readonly recording?: RecordingRequest;
	/** Hypotheses kept while searching; absent: the model's default. */
	readonly beam?: number;
	/** The recognizer identifies which of these is spoken, by the first speech; `language` (or `translatedFrom`) is used where it can't. */
	readonly languageChoices?: readonly Language[];
}

/** Ids of stored lists. */
export interface ListNames {
	readonly hotwordsId?: string;
	/** Separated by bars, or `all`. */
	readonly correctionWordsId?: string;
	readonly forbiddenWordsId?: string;
}

/** Words sent with a request, and stored lists, which are looked up at its start. */
export interface ListReferences extends ListNames {
	/** Takes precedence over `hotwordsId`. */
	readonly hotwordsList?: readonly string[];
	readonly hotwordsWeight: number;
}

/** As a section of the configuration names them. */
export interface ConfiguredLists {
	readonly hotwords_id: string;
	readonly correction_words_id: string;
	readonly forbidden_words_id: string;
}

/** Empty texts name nothing. */
export function configuredLists(section: ConfiguredLists): ListNames {
	const {
		hotwords_id: hotwordsId,
		correction_words_id: correctionWordsId,
		forbidden_words_id: forbiddenWordsId,
	} = section;
	return {
		...(hotwordsId && { hotwordsId }),
		...(correctionWordsId && { correctionWordsId }),
		...(forbiddenWordsId && { forbiddenWordsId }),
	};
}
