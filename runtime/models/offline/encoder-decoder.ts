/** The token model of encoders with an attention decoder (Moonshine, FireRed): each segment is encoded once, then written token by token. */
import { ModelFault } from "../model-fault.js";
import type { SymbolTable } from "../writing/symbol-table.js";
import { type SteppedDecoder, searchDecoder } from "./decoder-search.js";
import { refuseInfinite } from "./encoded-frames.js";
import { expectSymbols } from "./graph-inputs.js";
import type { FoundTokens, TokenModel, TokenRequest } from "./token-model.js";

/** The graphs of a kind. */
export interface EncoderDecoder {
	readonly startOfText: number;
	readonly endOfText: number;
	/** @param samples mono, 16 kHz, [-1, 1]. @returns undefined where they are too few for the encoder. */
	encode(samples: Float32Array): Promise<EncodedSegment | undefined>;
	close(): Promise<void>;
}

/** An encoded segment and its decoder. */
export interface EncodedSegment extends SteppedDecoder<unknown> {
	readonly tokensMax: number;
	/** Releases what the encoder returned. */
	close(): void;
}

/** No language is spoken at this rate: longer texts are inventions. */
const tokensPerSecondMax = 15;
const tokensMin = 6;

/** @returns the limit of a text's length. */
export function tokensMaxOf(seconds: number): number {
	return Math.max(tokensMin, Math.ceil(seconds * tokensPerSecondMax));
}

export class EncoderDecoderModel implements TokenModel {
	readonly #graphs: EncoderDecoder;
	/** Decoders have no mask for the padding of shorter segments. */
	readonly togetherMax = 1;
	readonly untimed = true;

	constructor(
		graphs: EncoderDecoder,
		readonly symbols: SymbolTable,
	) {
		this.#graphs = graphs;
	}

	close(): Promise<void> {
		return this.#graphs.close();
	}

	async tokensOf(
		requests: readonly TokenRequest[],
	): Promise<readonly FoundTokens[]> {
		const found: FoundTokens[] = [];
		for (const request of requests)
			found.push(
				request.cancelled() ? "cancelled" : await this.#tokensOf(request),
			);
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
				...{ startOfText, endOfText, tokensMax: segment.tokensMax },
				...{ beam, bias, cancelled },
			});
			if (tokens === "cancelled") return tokens;
			return tokens.map((it) => ({ ...it, seconds: 0 }));
		} finally {
			segment.close();
		}
	}

	/** @throws ModelFault at a step whose scores are not finite, or more than there are symbols. */
	#checked(segment: EncodedSegment): SteppedDecoder<unknown> {
		return {
			step: async (state, token) => {
				const next = await segment.step(state, token);
				try {
					if (next.scores.length <= this.#graphs.endOfText)
						throw new ModelFault(
							`the decoder scores ${next.scores.length} tokens, and none of them ends a text`,
						);
					expectSymbols(this.symbols, next.scores.length);
					refuseInfinite("the decoder", next.scores);
					return next;
				} catch (error) {
					segment.release(next.state);
					throw error;
				}
			},
			release: (state) => segment.release(state),
		};
	}
}
