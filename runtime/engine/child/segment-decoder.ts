/**
 * Runs one decode of a recognition's plan on the recognizer: with one set of parameters for partials, another for finals.
 */
import type { Hypothesis, SpeechRecognizer } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import type { Decode } from "../../session/decode-plan.js";
import type { RecognitionOptions } from "../../session/options.js";
import { joinParts } from "../../session/parts.js";
import { unrecognizedIn } from "../../session/unrecognized-speech.js";
import {
	type SegmentQuery,
	uncancelledResults,
	WorkCancelled,
} from "./segment-query.js";
import { recognizeSegment } from "./segment-recognition.js";
import { segmentRequest } from "./segment-request.js";
import type { SharedRecognition } from "./shared-recognition.js";

/** A partial is soon corrected, so a narrower beam suffices. */
const partialBeamMax = 2;

interface Run {
	readonly options: RecognitionOptions;
	readonly segmentKey: object;
	readonly cancelled: () => boolean;
	readonly recognizer: Pick<SpeechRecognizer, "recognize">;
}

export class SegmentDecoder {
	readonly #recognizer: SpeechRecognizer;
	readonly #beam: number;

	/** @param beam for requests that do not set one. */
	constructor(recognizer: SpeechRecognizer, beam: number) {
		this.#recognizer = recognizer;
		this.#beam = beam;
	}

	/**
	 * @param segmentKey identifies the decode's segment, see SegmentRequest.
	 * @param cancelled polled while it runs.
	 * @param shared with other decodes of its urgency at the same time.
	 */
	decode(
		decode: Decode,
		options: RecognitionOptions,
		segmentKey: object,
		cancelled: () => boolean,
		shared?: SharedRecognition,
	): Promise<Hypothesis | "cancelled"> {
		const run: Run = {
			options,
			segmentKey,
			cancelled,
			recognizer: shared ?? this.#recognizer,
		};
		return decode.urgency === "partial"
			? this.#partial(decode, run)
			: this.#final(decode.segment, run);
	}

	#partial(
		{ segment, prefixTokens, words, spokenIn, presumedIn }: Decode,
		{ options, segmentKey, cancelled, recognizer }: Run,
	): Promise<Hypothesis | "cancelled"> {
		const beam = this.#beam;
		const request = segmentRequest(segment, options, { beam, cancelled });
		// a streaming recognizer's partial is continued by the final, so it is searched with the final's beam
		const served =
			this.#recognizer.servedBy?.(options.language) ?? this.#recognizer;
		const isSearchedLess = !served.capabilities.streaming;
		return recognizer.recognize({
			...request,
			punctuation: false, // punctuation changes with every new word
			words: words ?? options.words,
			open: true,
			segmentKey,
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
		{ options, segmentKey, cancelled, recognizer }: Run,
	): Promise<Hypothesis | "cancelled"> {
		const recognize = async (
			queries: readonly SegmentQuery[],
			isAgain: boolean,
		) => {
			const found: Hypothesis[] = [];
			for (const { segment: piece, ...query } of queries) {
				const request = segmentRequest(piece, options, {
					beam: this.#beam,
					cancelled,
				});
				const keyedRequest = isAgain ? request : { ...request, segmentKey };
				const result = await recognizer.recognize({
					...keyedRequest,
					...query,
				});
				found.push(...uncancelledResults([result]));
			}
			return found;
		};
		try {
			const { language, words } = options;
			const parts = await recognizeSegment(segment, language, recognize);
			const joined = {
				...joinParts(segment, parts, language),
				unrecognized: parts
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
