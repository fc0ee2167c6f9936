/** A word of an answer: short recognition, sessions and MQTT name and round it alike. */
import type { Word } from "./events.js";
import { probability } from "./probability.js";

export interface WordFields {
	readonly word: string;
	/** Milliseconds, whole ones. */
	readonly start_time: number;
	readonly end_time: number;
	readonly type: Word["kind"];
	readonly confidence: number;
}

export function wordFields(word: Word): WordFields {
	return {
		word: word.text,
		start_time: Math.round(word.startMs),
		end_time: Math.round(word.endMs),
		type: word.kind,
		confidence: probability(word.confidence),
	};
}
