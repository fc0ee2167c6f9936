/**
 * One attempt at a segment's text: beam search over its encoded audio, a check whether the text repeats itself, and the correction of hotwords in it.
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import { compressionRatio, endsInEcho } from "../../search/repetition.js";
import type { WhisperDecoder } from "./decoder.js";
import type { Steps } from "./decoder-batch.js";
import type { EncodedSegment } from "./encoded-segment.js";
import type { HotwordBiases } from "./hotword-bias.js";
import type { WhisperParts } from "./parts.js";
import { type IdentifiedSegment, promptFor } from "./segment-features.js";
import type { FoundTokens, SegmentSearch } from "./segment-search.js";
import { type RepairContext, SoundRepair } from "./sound-repair.js";
import type { TextRefinement } from "./text-refinement.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** Whisper's own threshold: text with a higher ratio repeats itself. */
const compressionRatioMax = 2.4;

/** An encoded segment and a decoder run over it. */
export interface StartedAttempt {
	readonly encoded: EncodedSegment;
	readonly run: Steps;
}

export interface Attempt {
	readonly encoded: EncodedSegment;
	readonly found: FoundTokens;
	readonly repeats: boolean;
	/** The end of the text may repeat what precedes it. */
	readonly echoes: boolean;
}

export class SegmentAttempts {
	readonly #decoder: WhisperDecoder;
	readonly #tokenizer: WhisperTokenizer;
	readonly #biases: HotwordBiases;
	readonly #search: SegmentSearch;
	readonly #repair: SoundRepair;

	constructor(
		{ decoder, tokenizer, biases }: WhisperParts,
		search: SegmentSearch,
	) {
		this.#decoder = decoder;
		this.#tokenizer = tokenizer;
		this.#biases = biases;
		this.#search = search;
		this.#repair = new SoundRepair(decoder, tokenizer);
	}

	/** Disposes of the encoded segment where it is cancelled or fails. @param refinement of the text later, if there will be one. */
	async attempt(
		segment: IdentifiedSegment,
		{ encoded, run }: StartedAttempt,
		refinement: TextRefinement | undefined,
	): Promise<Attempt | "cancelled"> {
		const { request, language } = segment;
		const cancelled = request.cancelled ?? (() => false);
		try {
			const prefix = request.prefixTokens ?? [];
			const prompt = promptFor(this.#decoder.shape, segment);
			const found = await this.#search.find({
				run,
				prompt,
				prefix,
				beam: refinement?.beamFor(request) ?? request.beam,
				withAlternatives: refinement !== undefined,
				seconds: request.samples.length / sampleRateHz,
				biasing:
					request.hotwords &&
					this.#biases.biasFor(request.hotwords, language, prefix),
				cancelled,
			});
			if (found === "cancelled") {
				encoded.dispose();
				return found;
			}
			const text = this.#tokenizer.decode(found.tokens);
			const repeats =
				found.why === "loop" || compressionRatio(text) > compressionRatioMax;
			const { cross } = encoded;
			const settled = prefix.length;
			return {
				encoded,
				found: repeats
					? found
					: await this.#correct(segment, found, {
							cross,
							prompt,
							settled,
						}),
				repeats,
				echoes: endsInEcho(text),
			};
		} catch (error) {
			encoded.dispose();
			throw error;
		}
	}

	/** Repairs hotwords that match by sound only, and corrects the spelling of recognized ones. */
	async #correct(
		{ request: { hotwords }, language }: IdentifiedSegment,
		found: FoundTokens,
		context: RepairContext,
	): Promise<FoundTokens> {
		if (hotwords === undefined || found.why !== "end") return found;
		const sounds = this.#biases.soundsFor(hotwords, language);
		const repaired = sounds
			? await this.#repair.repair(found, context, sounds)
			: found;
		return this.#biases
			.spellingFor(hotwords, language)
			.respell(repaired, context.settled, this.#tokenizer);
	}
}
