/**
 * The contract between our Whisper graphs (made by `models convert`) and the recognizer that runs them: names, shapes, meaning.
 * A row is one hypothesis; rows of one segment are contiguous. Letters: A segments, R rows (a multiple of A, R/A each), L new tokens per row,
 * P past tokens, M scored positions, E extra ids, H heads, D 64 (head size), S encoder positions (T/2), V vocabulary, N decoder layers.
 * Integers are int32, everything else float32.
 */

/** `mel [A,80,T]`, T even -> `cross_k_i [A,H,D,S]` (already transposed), `cross_v_i [A,H,S,D]`, i = 0..N-1. S = T/2 <= 1500. */
export const encoderNames = { mel: "mel" } as const;

/**
 * Inputs:
 * - `tokens [R,L]`; positions are P..P+L-1; attention among the L new tokens is causal.
 * - `parents [R]`: the row of the past that each row continues (a beam's reordering happens inside the graph; the past may have fewer or more rows).
 * - `positions [M]`: indices into 0..L-1 at which the next token is scored (the last one when searching, all when a text is forced).
 * - `bias [V]`: added to the logits before normalisation: 0, or -Infinity for tokens that must not be chosen.
 * - `extra_ids [R,M,E]`: further ids whose log-probability is returned (live hotwords, punctuation, <|nospeech|>); E may be 0.
 * - `cross_bias [A,S]`: added to the scores of each position before the softmax: 0, or -Infinity for positions past a segment's own context in a batch with
 *   longer ones. Older decoders lack this input: all segments of a batch must then have equal contexts.
 * - `past_k_i`, `past_v_i [Rp,H,P,D]`; P = 0 and Rp = 1 at the start. `cross_k_i`, `cross_v_i` are the encoder's outputs.
 *
 * Outputs:
 * - `top_logp [R,M,16]`, `top_ids [R,M,16]`: the 16 best of log-softmax(logits + bias), best first.
 * - `extra_logp [R,M,E]`: logits[id] - logsumexp(logits + bias): the same scale, but without the bias of the id.
 * - `present_k_i`, `present_v_i [R,H,P+L,D]`.
 * - `alignment [R,heads,L,S]`: softmax cross-attention of the alignment heads, for word times; fetch it only when needed.
 */
export const decoderNames = {
	tokens: "tokens",
	parents: "parents",
	positions: "positions",
	bias: "bias",
	crossBias: "cross_bias",
	extraIds: "extra_ids",
	topLogp: "top_logp",
	topIds: "top_ids",
	extraLogp: "extra_logp",
	alignment: "alignment",
} as const;

export const topCount = 16;

/**
 * The scorer: the decoder for many texts at once, as a tree of tokens, with part of the vocabulary. Optional in a package; its weights are the decoder's.
 * Letters: N tokens of the tree with the prompt, M scored tokens, E ids, C tokens of the vocabulary that are scored, others as above.
 *
 * Inputs:
 * - `tokens [1,N]`, `depths [N]`: each token and its position in its text.
 * - `mask [N,N]`: added to the scores of self-attention: 0 where the column is the row's token or one before it in the text, else -Infinity.
 * - `scored [M]`: indices of the tokens after which the next token is scored.
 * - `wanted [1,M,E]`: indices into `vocabulary`.
 * - `cross_bias [1,S]`, `cross_k_i`, `cross_v_i`: as the decoder's, of one segment.
 *
 * Outputs:
 * - `logp [1,M,E]`: log-softmax over the scored vocabulary.
 * - `vocabulary [C]`: the ids that are scored, ascending.
 */
export const scorerNames = {
	tokens: "tokens",
	depths: "depths",
	mask: "mask",
	scored: "scored",
	wanted: "wanted",
	crossBias: "cross_bias",
	logp: "logp",
	vocabulary: "vocabulary",
} as const;

export type LayerTensor =
	| "cross_k"
	| "cross_v"
	| "past_k"
	| "past_v"
	| "present_k"
	| "present_v";

/** The name of one layer's tensor: `past_k_3`. */
export function layerName(kind: LayerTensor, layer: number): string {
	return `${kind}_${layer}`;
}
