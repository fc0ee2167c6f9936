/**
 * The models of one engine, loaded: which package is read how.
 */
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type { SessionSegmenter } from "../../session/recognition.js";

/** A clip and the words that a sound recognizer hears in it. */
export interface Probe {
	readonly path: string;
	readonly language: string;
	readonly words: readonly string[];
}

export interface Models {
	readonly recognizer: SpeechRecognizer;
	readonly probe: Probe;
	createSegmenter(maxSentenceSilenceMs: number): SessionSegmenter;
	close(): Promise<void>;
}
