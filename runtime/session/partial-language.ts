/**
 * The language of what partials hear of mixed speech: shown is nothing before it is known, because a sentence's first syllables may be either; once it is
 * surely known it holds up to the next pause.
 */

import { sampleRateHz } from "../audio/sample-rate.js";
import type { Hypothesis } from "../models/recognizer.js";
import type { Segment } from "../segmentation/events.js";
import type { Language } from "../text/languages.js";
import { isSure } from "./language-spans.js";

/** Who speaks so long is shown in the language that it seems to be. */
const patienceSamples = 2 * sampleRateHz;

export class PartialLanguage {
	#presumedIn: Language | undefined;
	#isKnown = false;

	/** @param presumedIn of what was said before. */
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
	 * @param segment what the hypothesis is of.
	 * @returns whether it may be shown: "other" in place of what was shown of the same sound.
	 */
	accept(
		{ samples }: Pick<Segment, "samples">,
		{ spokenIn, languageLogOdds }: Hypothesis,
	): "as-before" | "other" | "unknown" {
		const [logOdds] = languageLogOdds ?? [];
		// a recognizer that can't say, or that was told
		if (!spokenIn || logOdds === undefined) return "as-before";
		this.#isKnown = isSure({ logOdds });
		if (!this.#isKnown && samples.length < patienceSamples) return "unknown";
		const isOther = spokenIn !== this.#presumedIn;
		this.#presumedIn = spokenIn;
		return isOther ? "other" : "as-before";
	}

	/** What comes behind a pause may be in another one. */
	pause(spokenIn: Language | undefined): void {
		this.#presumedIn = spokenIn ?? this.#presumedIn;
		this.#isKnown = false;
	}
}
