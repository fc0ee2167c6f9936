/** The token model of encoders with an attention decoder (Moonshine, FireRed): each segment is encoded once, then written token by token. */
import { sampleRateHz } from "../../audio/sample-rate.js";
import { expectSymbols } from "../graph-checks.js";
import { ModelFault } from "../model-fault.js";
import type { SymbolTable } from "../writing/symbol-table.js";
import {
	type DecodedToken,
	type SteppedDecoder,
	searchDecoder,
} from "./decoder-search.js";
import { refuseInfinite } from "./encoded-frames.js";
import { type LockstepDecoder, searchInLockstep } from "./lockstep-search.js";
import type { FoundTokens, TokenModel, TokenRequest } from "./token-model.js";

/** The graphs of a kind. */
export interface EncoderDecoder {
	readonly startOfText: number;
	readonly endOfText: number;
	/** @param samples mono, 16 kHz, [-1, 1]. @returns undefined where they are too few for the encoder. */
	encode(samples: Float32Array): Promise<EncodedSegment | undefined>;
	/** Absent where the decoder has no mask for the padding of shorter segments. */
	readonly together?: WritingTogether | undefined;
	close(): Promise<void>;
}

export interface WritingTogether {
	/** Segments that the decoder writes at once. */
	readonly segmentsMax: number;
	/** @param segments of this encoder, at least two; they stay open until the batch is closed. */
	join(segments: readonly EncodedSegment[]): EncodedBatch;
}

/** An encoded segment and its decoder. */
export interface EncodedSegment extends SteppedDecoder<unknown> {
	readonly tokensMax: number;
	/** Releases what the encoder returned. */
	close(): void;
}

/** Several encoded segments and their decoder. */
export interface EncodedBatch extends LockstepDecoder<unknown> {
	close(): void;
}

/** No language is spoken at this rate: longer texts are inventions. */
const tokensPerSecondMax = 15;
const tokensMin = 6;
/** Of a batch: a decoder's memory grows by about a megabyte for a second. */
const paddedSamplesMax = 48 * sampleRateHz;

/** @returns the limit of a text's length. */
export function tokensMaxOf(seconds: number): number {
	return Math.max(tokensMin, Math.ceil(seconds * tokensPerSecondMax));
}

export class EncoderDecoderModel implements TokenModel {
	readonly #graphs: EncoderDecoder;
	readonly togetherMax: number;
	readonly untimed = true;

	constructor(
		graphs: EncoderDecoder,
		readonly symbols: SymbolTable,
	) {
		this.#graphs = graphs;
		this.togetherMax = graphs.together?.segmentsMax ?? 1;
	}

	close(): Promise<void> {
		return this.#graphs.close();
	}

	async tokensOf(
		requests: readonly TokenRequest[],
	): Promise<readonly FoundTokens[]> {
		const { together } = this.#graphs;
		// hotwords have a beam of their own
		const joined = together ? requests.filter(({ bias }) => !bias) : [];
		const batched = new Map<TokenRequest, FoundTokens>();
		for (const batch of batchesOf(joined))
			for (const [request, found] of await this.#batchOf(batch))
				batched.set(request, found);
		const found: FoundTokens[] = [];
		for (const request of requests)
			found.push(
				batched.get(request) ??
					(request.cancelled() ? "cancelled" : await this.#tokensOf(request)),
			);
		return found;
	}

	/** @returns what is found together, where that is more than one. */
	async #batchOf(
		requests: readonly TokenRequest[],
	): Promise<ReadonlyMap<TokenRequest, FoundTokens>> {
		const { together, startOfText, endOfText } = this.#graphs;
		const found = new Map<TokenRequest, FoundTokens>();
		if (!together || requests.length < 2) return found;
		const encoded = new Map<TokenRequest, EncodedSegment>();
		try {
			for (const request of requests) {
				if (request.cancelled()) found.set(request, "cancelled");
				else {
					const segment = await this.#graphs.encode(request.samples);
					if (segment) encoded.set(request, segment);
					else found.set(request, []);
				}
			}
			const segments = [...encoded.values()];
			if (segments.length < 2) return found;
			const batch = together.join(segments);
			try {
				const results = await searchInLockstep(
					this.#checkedBatch(batch),
					[...encoded].map(([{ cancelled }, { tokensMax }]) => ({
						cancelled,
						tokensMax,
					})),
					{ startOfText, endOfText },
				);
				for (const [i, request] of [...encoded.keys()].entries())
					found.set(request, untimed(results[i] ?? "cancelled"));
			} finally {
				batch.close();
			}
		} finally {
			for (const segment of encoded.values()) segment.close();
		}
		return found;
	}

	async #tokensOf({
		samples,
		beam,
		bias,
		cancelled,
	}: TokenRequest): Promise<FoundTokens> {
		const { startOfText, endOfText } = this.#graphs;
		const segment = await this.#graphs.encode(samples);
		if (!segment) return [];
		try {
			const tokens = await searchDecoder(this.#checked(segment), {
				startOfText,
				endOfText,
				tokensMax: segment.tokensMax,
				beam,
				bias,
				cancelled,
			});
			return untimed(tokens);
		} finally {
			segment.close();
		}
	}

	#checked(segment: EncodedSegment): SteppedDecoder<unknown> {
		return {
			step: async (state, token) => {
				const next = await segment.step(state, token);
				this.#check([next.scores], () => segment.release(next.state));
				return next;
			},
			release: (state) => segment.release(state),
		};
	}

	#checkedBatch(batch: EncodedBatch): LockstepDecoder<unknown> {
		return {
			step: async (state, tokens) => {
				const next = await batch.step(state, tokens);
				this.#check(next.scores, () => batch.release(next.state));
				return next;
			},
			release: (state) => batch.release(state),
		};
	}

	/** @throws ModelFault at scores that are not finite, or of another vocabulary; the step's state is released then. */
	#check(rows: readonly Float32Array[], release: () => void): void {
		try {
			for (const scores of rows) {
				if (scores.length <= this.#graphs.endOfText)
					throw new ModelFault(
						`the decoder scores ${scores.length} tokens, and none of them ends a text`,
					);
				expectSymbols(this.symbols, scores.length);
				refuseInfinite("the decoder", scores);
			}
		} catch (error) {
			release();
			throw error;
		}
	}
}

/** Neighbours, as long as what they take together with padding fits. */
function batchesOf(requests: readonly TokenRequest[]): TokenRequest[][] {
	const batches: TokenRequest[][] = [];
	for (const request of requests) {
		const batch = [...(batches.at(-1) ?? []), request];
		const longest = Math.max(...batch.map((it) => it.samples.length));
		const fits = longest * batch.length <= paddedSamplesMax;
		if (batches.length > 0 && fits) batches.splice(-1, 1, batch);
		else batches.push([request]);
	}
	return batches;
}

function untimed(tokens: readonly DecodedToken[] | "cancelled"): FoundTokens {
	return tokens === "cancelled"
		? tokens
		: tokens.map((it) => ({ ...it, seconds: 0 }));
}
