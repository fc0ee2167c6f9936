/**
 * The language in which the transcript of a call is composed. Its request may have left it open; each utterance then has the language in which it was spoken, and
 * one call can have several: each recognition of a leg identifies its own.
 */
import type { Piecewise } from "../event-loop/piecewise.js";
import type { Utterance } from "../session/events.js";
import { type Language, languages, pairOf } from "../text/languages.js";

/**
 * @param requested of utterances that have none.
 * @returns the language of all utterances; of two that are mixed elsewhere, too, their mixture; else that of most of the time.
 */
export function* transcriptLanguage(
	requested: Language,
	utterances: Iterable<Utterance>,
): Piecewise<Language> {
	const msBy = new Map<Language, number>();
	for (const { spokenIn = requested, beginMs, endMs } of utterances) {
		msBy.set(spokenIn, (msBy.get(spokenIn) ?? 0) + endMs - beginMs);
		yield;
	}
	const spoken = [...msBy.keys()];
	// the requested one comes first: it may be a mixture of which one language was spoken
	const common = [requested, ...spoken, ...languages].find((it) =>
		spoken.every((other) => holds(it, other)),
	);
	if (common) return common;
	const [most] = [...msBy].sort(([, one], [, other]) => other - one);
	return most?.[0] ?? requested;
}

function holds(language: Language, other: Language): boolean {
	return language === other || (pairOf(language)?.includes(other) ?? false);
}
