/**
 * Decodes one segment from features to text, in order: the encoder, with a context fitted to the segment; language identification, where two languages are
 * possible; beam search; a second attempt where the text repeats itself; the guards; a refiner's choice, where there is one; writing the text
 * (hypothesis-writer.ts).
 */

import { rejectionReason } from "../../search/guards.js";
import { withoutLoop } from "../../search/repetition.js";
import type { Language } from "../../text/languages.js";
import {
	emptyHypothesis,
	type Hypothesis,
	type SegmentRequest,
} from "../recognizer.js";
import { mean } from "./confidence.js";
import type { WhisperDecoder } from "./decoder.js";
import type { WhisperEncoder } from "./encoder.js";
import { HypothesisWriter } from "./hypothesis-writer.js";
import {
	type IdentifiedLanguage,
	LanguageIdentification,
} from "./language-identification.js";
import type { WhisperParts } from "./parts.js";
import {
	type Attempt,
	SegmentAttempts,
	type StartedAttempt,
} from "./segment-attempts.js";
import type { IdentifiedSegment, SegmentFeatures } from "./segment-features.js";
import { SegmentSearch } from "./segment-search.js";
import { TextRefinement } from "./text-refinement.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** How much audio the encoder gets, in seconds: the segment and silence after it. */
export interface Contexts {
	readonly first: number;
	/** For a second attempt, which is made only if this is longer than the first. */
	readonly second: number;
}

export interface StartedDecode extends StartedAttempt {
	readonly spoken: IdentifiedLanguage;
}

export class WhisperSegmentDecoder {
	readonly #encoder: WhisperEncoder;
	readonly #decoder: WhisperDecoder;
	readonly #tokenizer: WhisperTokenizer;
	readonly languages: LanguageIdentification;
	readonly #attempts: SegmentAttempts;
	readonly #refinement: TextRefinement | undefined;
	readonly #writer: HypothesisWriter;

	constructor(parts: WhisperParts) {
		const { encoder, decoder, tokenizer, refiner } = parts;
		this.#encoder = encoder;
		this.#decoder = decoder;
		this.#tokenizer = tokenizer;
		this.languages = new LanguageIdentification(decoder);
		const search = new SegmentSearch(decoder);
		this.#attempts = new SegmentAttempts(parts, search);
		this.#refinement = refiner && new TextRefinement(parts, search, refiner);
		this.#writer = new HypothesisWriter(decoder, tokenizer);
	}

	/** @param started the first attempt's encoding, if it already exists. */
	async decode(
		features: SegmentFeatures,
		contexts: Contexts,
		started?: StartedDecode,
	): Promise<Hypothesis | "cancelled"> {
		if (features.request.cancelled?.()) {
			started?.encoded.dispose();
			return "cancelled";
		}
		const first =
			started ?? (await this.#startDecode(features, contexts.first));
		const { language, reported } = first.spoken;
		if (features.request.languageOnly) {
			first.run.close();
			first.encoded.dispose();
			return { ...emptyHypothesis(), ...reported };
		}
		const segment = {
			...withoutOtherPrefix(features, reported.spokenIn),
			language,
		};
		const found = await this.#decodeIdentified(segment, contexts, first);
		return found === "cancelled" ? found : { ...found, ...reported };
	}

	/** Makes a second attempt only if the first repeats itself. */
	async #decodeIdentified(
		segment: IdentifiedSegment,
		contexts: Contexts,
		first: StartedDecode,
	): Promise<Hypothesis | "cancelled"> {
		let attempt = await this.#attempts.attempt(
			segment,
			first,
			this.#refinementOf(segment),
		);
		if (attempt === "cancelled") return attempt;
		if (attempt.repeats && segment.request.open) {
			// more audio will arrive before a second attempt could end
			attempt.encoded.dispose();
			return emptyHypothesis("repetition: waiting for more audio");
		}
		const isDoubtful =
			attempt.repeats || (attempt.echoes && !segment.request.open);
		if (isDoubtful && contexts.first < contexts.second) {
			attempt = await this.#attemptAgain(segment, contexts, attempt);
			if (attempt === "cancelled") return attempt;
		}
		try {
			return await this.#conclude(segment, attempt);
		} finally {
			attempt.encoded.dispose();
		}
	}

	/** An echo may have been spoken ("nine nine"): such a text stands where a wider context finds none, or one that does repeat itself. */
	async #attemptAgain(
		segment: IdentifiedSegment,
		contexts: Contexts,
		first: Attempt,
	): Promise<Attempt | "cancelled"> {
		const { request } = segment;
		segment.guards.push("repetition: decoded again with a wider context");
		first.encoded.dispose();
		if (request.cancelled?.()) return "cancelled";
		const encoded = await this.#encoder.encode(segment, contexts.second);
		const run = this.#decoder.begin(encoded.cross);
		const second = await this.#attempts.attempt(
			segment,
			{ encoded, run },
			this.#refinementOf(segment),
		);
		if (second === "cancelled" || first.repeats) return second;
		if (!second.repeats && second.found.tokens.length > 0) return second;
		second.encoded.dispose();
		// encoded anew, which is rare: keeping it would take memory for both each time, and hold up the rest of a batch
		const again = await this.#encoder.encode(segment, contexts.first);
		return { ...first, encoded: again };
	}

	async #startDecode(
		features: SegmentFeatures,
		contextSeconds: number,
	): Promise<StartedDecode> {
		const encoded = await this.#encoder.encode(features, contextSeconds);
		try {
			const spoken = await this.languages.identify(features, encoded);
			return { encoded, spoken, run: this.#decoder.begin(encoded.cross) };
		} catch (error) {
			encoded.dispose();
			throw error;
		}
	}

	/** Applies the guards, lets the refiner choose and writes the text. Guards judge what was recognized: whether there is speech, not which words. */
	async #conclude(
		segment: IdentifiedSegment,
		{ encoded, found, repeats }: Attempt,
	): Promise<Hypothesis | "cancelled"> {
		const { request, guards, swingDb } = segment;
		const ownTokens = withoutLoop(found.tokens);
		const verdict = rejectionReason({
			text: this.#tokenizer.decode(ownTokens),
			noSpeech: found.noSpeech,
			meanLogp: mean(found.logp),
			repeats,
			...(request.voiceActivity && {
				voiceActivity: { ...request.voiceActivity, swingDb },
			}),
			open: request.open ?? false,
		});
		if (verdict !== undefined) return emptyHypothesis(...guards, verdict);
		const isTruncated = ownTokens.length < found.tokens.length;
		if (isTruncated) guards.push("repetition: truncated");
		if (request.cancelled?.()) return "cancelled";
		const refinement =
			found.why === "end" && !repeats && !isTruncated && ownTokens.length > 0
				? this.#refinementOf(segment)
				: undefined;
		const refined = await refinement?.refine(segment, encoded, found);
		if (refined === "cancelled") return refined;
		const chosen = refined ?? found;
		const tokens = refined?.tokens ?? ownTokens;
		const written = await this.#writer.write(segment, encoded, chosen, tokens);
		return { ...written, tokens, guards };
	}

	/** Undefined where the text is not to be refined. */
	#refinementOf(segment: IdentifiedSegment): TextRefinement | undefined {
		const isSettled = (segment.request.prefixTokens ?? []).length > 0;
		return isSettled || !this.#refinement?.covers(segment)
			? undefined
			: this.#refinement;
	}
}

/** Whether the request's tokens settled while another language was presumed. */
export function losesPrefix(
	{ prefixTokens = [], presumedIn }: SegmentRequest,
	spokenIn: Language | undefined,
): boolean {
	const isOther = presumedIn !== undefined && spokenIn !== presumedIn;
	return isOther && prefixTokens.length > 0;
}

function withoutOtherPrefix(
	features: SegmentFeatures,
	spokenIn: Language | undefined,
): SegmentFeatures {
	if (!losesPrefix(features.request, spokenIn)) return features;
	const { prefixTokens: _, ...request } = features.request;
	return { ...features, request };
}
