/**
 * What a recognition is told: the options of the outside, checked and with every default filled in. Each is declared here once; how requests write them is in
 * request-options.ts.
 */

import { type Static, type TBoolean, Type } from "@sinclair/typebox";
import type { HotwordOptions } from "../models/recognizer.js";
import type { Owner } from "../owner.js";
import type { Language } from "../text/languages.js";
import { languages } from "../text/languages.js";
import type { WordList } from "../words/word-list.js";

/** `format` values (docs/interface.md section 2.3). `pcm` is signed 16-bit little-endian mono; the rest carry their own header. */
export const audioFormats = [
	"pcm",
	"wav",
	"opus",
	"mp3",
	"aac",
	"amr",
	"m4a",
	"mp4",
	"3gp",
	"flac",
] as const;

export type AudioFormat = (typeof audioFormats)[number];

/** What becomes of stored audio, and whose it is. */
export interface RecordingRequest {
	readonly format: "mp3" | "pcm" | "wav";
	readonly owner: Owner;
	/** Of links to this server, as its caller knows it: `http://kiosk:7100`; empty where that is not known. */
	readonly baseUrl: string;
}

/**
 * What every recognition has switched on or off: the name that requests have for it, and what it is where they leave it out. A new switch is a line here, and
 * where it is obeyed: requests of every kind, files, and other devices of a site take it along.
 */
export const switches = {
	punctuation: { request: "enable_punctuation_prediction", usual: true },
	inverseTextNormalization: {
		request: "enable_inverse_text_normalization",
		usual: true,
	},
	modalParticleFilter: { request: "enable_modal_particle_filter", usual: true },
	/** Word times are wanted. */
	words: { request: "enable_words", usual: false },
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

export const usualSwitches: Switches = switchesBy(
	(name) => switches[name].usual,
);
export const switchedOff: Switches = switchesBy(() => false);

/** Options that are plain values: what is kept of a task, and what one device may ask of another. */
export const plainOptions = Type.Object({
	language: Type.Unsafe<Language>({ type: "string", enum: languages }),
	format: Type.Unsafe<AudioFormat>({ type: "string", enum: audioFormats }),
	/** Of raw PCM; containers carry their own. */
	sampleRateHz: Type.Union([Type.Literal(8000), Type.Literal(16_000)]),
	/** Amplitude factor. */
	gain: Type.Number({ minimum: 1, maximum: 20 }),
	/** Audio past it is not heard: the recognition completes with why "duration", and whoever asked says so in its way. */
	durationSecondsMax: Type.Number({ minimum: 1 }),
	/** Silence that ends a segment. */
	maxSentenceSilenceMs: Type.Integer({ minimum: 0, maximum: 60_000 }),
	...switchesBy((): TBoolean => Type.Boolean()),
	/** Partials are wanted. */
	partials: Type.Boolean(),
	/** False: what was said is told sentence by sentence and then forgotten, `completed` brings no text. For hours of speech. Default true. */
	keepsWhole: Type.Optional(Type.Boolean()),
	/** How the text is read aloud is wanted, too (`enable_spoken`); Japanese only. */
	spoken: Type.Optional(Type.Boolean()),
	/** Containers are decoded while they arrive, for a caller who speaks at this moment; otherwise when they are here whole. */
	streamed: Type.Optional(Type.Boolean()),
	/** Sentences are not told apart, so speech is heard in passages: `maxSentenceSilenceMs` and `dynamicBreak` mean nothing then. */
	oneText: Type.Optional(Type.Boolean()),
});

export type PlainOptions = Readonly<Static<typeof plainOptions>>;

/** Without whatever else stands beside them. */
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

export interface RecognitionOptions extends PlainOptions {
	/** Past `durationSecondsMax`, what was heard until then is completed (`why` is "duration"). */
	readonly completeAtDuration?: boolean;
	/** The silence that ends a segment follows the speaker's own pauses, between half and one and a half of it. */
	readonly dynamicBreak?: boolean;
	/** After speech, so much silence completes the recognition (`why` is "suffix-silence"); 0: the end of the speech does. Absent: nothing does. */
	readonly suffixSilenceMs?: number;
	readonly hotwords?: HotwordOptions;
	/** Correction vocabularies, applied in this order. */
	readonly corrections?: readonly WordList[];
	readonly forbidden?: readonly WordList[];
	/** Where partials are wanted: their words, too. */
	readonly partialWords?: boolean;
	/** Speech between two partials at least; absent: as fast as words come. */
	readonly partialMs?: number;
	/** What is heard is stored as well, for its caller to fetch (`audio_url`). */
	readonly recording?: RecordingRequest;
	/** Hypotheses kept while searching; absent: the model's default. */
	readonly beam?: number;
}

/** Words that a recognition brings along, and stored lists by their ids: looked up at its start. */
export interface ListReferences {
	/** They win over `hotwordsId`. */
	readonly hotwordsList?: readonly string[];
	readonly hotwordsId?: string;
	readonly hotwordsWeight: number;
	/** Ids separated by bars, or `all`. */
	readonly correctionWordsId?: string;
	readonly forbiddenWordsId?: string;
}
