/**
 * One decode of a recognition's plan, on the recognizer: what is asked for a partial, and what for a text that stays.
 */
import type { Hypothesis, SpeechRecognizer } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import type { Decode } from "../../session/decode-plan.js";
import type { RecognitionOptions } from "../../session/options.js";
import { joinParts } from "../../session/parts.js";
import { unrecognizedIn } from "../../session/unrecognized-speech.js";
import { hearSegment } from "./segment-hearing.js";
import { segmentRequest } from "./segment-request.js";
import { uncancelled, type Wanted, WorkCancelled } from "./wanted.js";

/** A partial is soon corrected: it is searched less. */
const partialBeamMax = 2;

export class SegmentDecoder {
	readonly #recognizer: SpeechRecognizer;
	readonly #beam: number;

	/** @param beam where a request does not say. */
	constructor(recognizer: SpeechRecognizer, beam: number) {
		this.#recognizer = recognizer;
		this.#beam = beam;
	}

	/**
	 * @param hearing stands for the decode's segment, see SegmentRequest.
	 * @param cancelled polled while it runs.
	 */
	decode(
		decode: Decode,
		options: RecognitionOptions,
		hearing: object,
		cancelled: () => boolean,
	): Promise<Hypothesis | "cancelled"> {
		return decode.urgency === "partial"
			? this.#partial(decode, options, hearing, cancelled)
			: this.#final(decode.segment, options, hearing, cancelled);
	}

	#partial(
		{ segment, prefixTokens, words, spokenIn, presumedIn }: Decode,
		options: RecognitionOptions,
		hearing: object,
		cancelled: () => boolean,
	): Promise<Hypothesis | "cancelled"> {
		const beam = this.#beam;
		const request = segmentRequest(segment, options, { beam, cancelled });
		// what is gone on with is searched once, as the final wants it
		const isSearchedLess = !this.#recognizer.capabilities.streaming;
		return this.#recognizer.recognize({
			...request,
			punctuation: false, // marks change with every word that comes
			words: words ?? options.words,
			open: true,
			segmentKey: hearing,
			beam: isSearchedLess
				? Math.min(request.beam, partialBeamMax)
				: request.beam,
			...(prefixTokens && { prefixTokens }),
			...(spokenIn && { spokenIn }),
			...(presumedIn && { presumedIn }),
		});
	}

	async #final(
		segment: Segment,
		options: RecognitionOptions,
		hearing: object,
		cancelled: () => boolean,
	): Promise<Hypothesis | "cancelled"> {
		const recognize = async (wanted: readonly Wanted[], isAgain: boolean) => {
			const found: Hypothesis[] = [];
			for (const { segment: piece, ...wish } of wanted) {
				const request = segmentRequest(piece, options, {
					beam: this.#beam,
					cancelled,
				});
				const asked = isAgain ? request : { ...request, hearing };
				const one = await this.#recognizer.recognize({ ...asked, ...wish });
				found.push(...uncancelled([one]));
			}
			return found;
		};
		try {
			const { language, words } = options;
			const parts = await hearSegment(segment, language, recognize);
			const joined = {
				...joinParts(segment, parts, language),
				unheard: parts
					.flatMap(unrecognizedIn)
					.map(({ why, seconds }) => ({ why, seconds })),
			};
			return words ? joined : { ...joined, words: [] };
		} catch (error) {
			if (error instanceof WorkCancelled) return "cancelled";
			throw error;
		}
	}
}
