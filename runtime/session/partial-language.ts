/**
 * Tracks the language of partials in mixed speech: nothing is shown before it is known, because a sentence's first syllables may be either; once it is
 * certain it is kept up to the next pause.
 */

import { sampleRateHz } from "../audio/sample-rate.js";
import type { Hypothesis } from "../models/recognizer.js";
import type { Segment } from "../segmentation/events.js";
import type { Language } from "../text/languages.js";
import { isSure } from "./language-spans.js";

/** After this much speech a partial is shown in the likelier language. */
const uncertainSamplesMax = 2 * sampleRateHz;

export class PartialLanguage {
	#presumedIn: Language | undefined;
	#isKnown = false;

	/** @param presumedIn the language of the speech before. */
	constructor(presumedIn: Language | undefined) {
		this.#presumedIn = presumedIn;
	}

	/** For the next partial. */
	get request(): {
		readonly spokenIn?: Language;
		readonly presumedIn?: Language;
	} {
		const language = this.#presumedIn;
		if (!language) return {};
		return this.#isKnown ? { spokenIn: language } : { presumedIn: language };
	}

	/**
	 * @param segment the decoded samples.
	 * @returns whether the text may be shown; "other": it replaces what was shown of the same audio.
	 */
	accept(
		{ samples }: Pick<Segment, "samples">,
		{ spokenIn, languageLogOdds }: Hypothesis,
	): "as-before" | "other" | "unknown" {
		const [logOdds] = languageLogOdds ?? [];
		// the recognizer does not identify languages, or the request named one
		if (!spokenIn || logOdds === undefined) return "as-before";
		this.#isKnown = isSure({ logOdds });
		if (!this.#isKnown && samples.length < uncertainSamplesMax)
			return "unknown";
		const isOther = spokenIn !== this.#presumedIn;
		this.#presumedIn = spokenIn;
		return isOther ? "other" : "as-before";
	}

	/** The speech after a pause may be in another language. */
	pause(spokenIn: Language | undefined): void {
		this.#presumedIn = spokenIn ?? this.#presumedIn;
		this.#isKnown = false;
	}
}
