/** What a recognizer found, for tests that need something to pass on: a test names only what it depends on. */
import type { Hypothesis } from "../../runtime/models/recognizer.js";
import type { Utterance } from "../../runtime/session/events.js";

export function madeHypothesis(
	text: string,
	changes: Partial<Hypothesis> = {},
): Hypothesis {
	return {
		text,
		tokens: [],
		confidence: 1,
		words: [],
		guards: [],
		...changes,
	};
}

export function madeUtterance(
	text: string,
	changes: Partial<Utterance> = {},
): Utterance {
	return {
		index: 1,
		text,
		beginMs: 0,
		endMs: 900,
		confidence: 0.9,
		words: [],
		...changes,
	};
}
