/**
 * The options of a file transcription: the form of the upload, validated and with defaults filled in (docs/interface.md section 4.4). They are stored with the
 * task as JSON, so they name word lists instead of containing them.
 */
import type {
	ListReferences,
	PlainOptions,
	SwitchName,
} from "../session/options.js";
import type { Language } from "../text/languages.js";

/** Encoders pad: five hours of audio are a little more than five hours of MP3. */
const paddingSeconds = 1;

/** "At most 5 hours", and "less than 6". */
export const audioSecondsMax: Readonly<Record<Variant, number>> = {
	standard: 5 * 3600 + paddingSeconds,
	vip: 6 * 3600 - 0.001,
};

export type Variant = "standard" | "vip";

type FileRecognition = Pick<
	PlainOptions,
	| "language"
	| "translatedFrom"
	| "format"
	| "sampleRateHz"
	| "gain"
	| "maxSentenceSilenceMs"
	| SwitchName
>;

/** `format`: the detected format of the bytes, not the one that the client named. `words`: included in the result; see `wordsType`. */
export interface FileOptions extends FileRecognition, ListReferences {
	/** 0: as words, with fillers and keyword numbers; 1: as characters, Chinese only. */
	readonly wordsType: 0 | 1;
	/** Word lists may be of these, too: the language was not given, but identified among them. */
	readonly listLanguages?: readonly Language[];
	readonly variant: Variant;
	/** 2: each channel is recognized separately, and the file has two. */
	readonly channels: 1 | 2;
	readonly output: "text" | "subtitle";
	/** Number of speakers; 0: detected. Absent: no diarization requested. */
	readonly clusters?: number;
	readonly keywordsQuantity: number;
	readonly langLabel: boolean;
	/** Number of characters after which the same speaker's next sentence begins a paragraph; absent: never. */
	readonly paragraphCondition?: number;
	readonly callbackUrl?: string;
}

/** Whether it names stored lists, which may change. */
export function namesLists(named: ListReferences): boolean {
	const { hotwordsId, correctionWordsId, forbiddenWordsId } = named;
	return [hotwordsId, correctionWordsId, forbiddenWordsId].some(
		(it) => it !== undefined,
	);
}
