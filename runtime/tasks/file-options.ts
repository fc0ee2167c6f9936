/**
 * What the transcription of a file is told: the form of the upload, checked and with every default filled in (docs/interface.md section 4.4). It is kept with the
 * task as JSON, so it names lists of words instead of holding them.
 */
import type {
	ListReferences,
	PlainOptions,
	SwitchName,
} from "../session/options.js";

/** Encoders pad: five hours of sound are a little more than five hours of MP3. */
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
	| "format"
	| "sampleRateHz"
	| "gain"
	| "maxSentenceSilenceMs"
	| SwitchName
>;

/** `format`: what the bytes are, whatever the client called them: they were looked at when they came. `words`: they are part of the result, */
export interface FileOptions extends FileRecognition, ListReferences {
	/** as words (0, with fillers and keyword numbers) or characters (1); Chinese only. */
	readonly wordsType: 0 | 1;
	readonly variant: Variant;
	/** 2: each channel is heard on its own, and there are two. */
	readonly channels: 1 | 2;
	readonly output: "text" | "subtitle";
	/** Voices to tell apart; 0: as many as there are. Absent: nobody asked. */
	readonly clusters?: number;
	readonly keywordsQuantity: number;
	readonly langLabel: boolean;
	/** Characters after which the same speaker's next sentence begins a paragraph; absent: none does. */
	readonly paragraphCondition?: number;
	readonly callbackUrl?: string;
}
