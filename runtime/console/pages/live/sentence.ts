/** One sentence of what Live shows, finished. */
export interface Sentence {
	readonly key: string;
	readonly text: string;
	readonly language: string;
	/** Of the device's microphone that heard it. */
	readonly room?: string;
	/** Milliseconds of the session's audio. */
	readonly beginMs?: number;
	/** 0 to 1. */
	readonly confidence?: number;
	readonly words?: readonly {
		readonly word: string;
		readonly confidence?: number;
	}[];
	readonly azimuthDeg?: number;
}
