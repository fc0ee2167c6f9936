/** What a Whisper recognizer is made of once its graphs are open: each part is made once, and all that decodes shares it. */
import type { RefinerOptions } from "../refinement.js";
import type { CrossAttentionCache } from "./cross-attention-cache.js";
import type { WhisperDecoder } from "./decoder.js";
import type { WhisperEncoder } from "./encoder.js";
import type { HotwordBiases } from "./hotword-bias.js";
import type { WhisperTokenizer } from "./tokenizer.js";
import type { TreeScorer } from "./tree-scorer.js";

export interface WhisperParts {
	readonly encoder: WhisperEncoder;
	readonly decoder: WhisperDecoder;
	readonly tokenizer: WhisperTokenizer;
	/** Holds one batch. */
	readonly crossCache: CrossAttentionCache;
	readonly biases: HotwordBiases;
	readonly refiner: RefinerOptions | undefined;
	/** Makes scoring texts for the refiner faster. */
	readonly treeScorer: TreeScorer | undefined;
}
