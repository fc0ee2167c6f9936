/**
 * Scores texts against a segment's audio, and without audio: the same decoder with nothing to attend to is Whisper's internal language model.
 */
import { simplifyCharacters } from "../../text/zh/simplify.js";
import type { TextScore, TextScorer } from "../refinement.js";
import type { WhisperDecoder } from "./decoder.js";
import { layerName } from "./graphs.js";
import {
	type SequenceContext,
	type SequenceScores,
	scoreSequences,
} from "./sequence-scores.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** A text as tokens, and their log-probabilities: that of the end token last. */
export interface ScoredTokens {
	readonly tokens: readonly number[];
	readonly logp: readonly number[];
}

/** Texts scored per segment; more is a mistake of the caller. */
const textsMax = 200;
/** Tokens of a text: Whisper's text context is 448 with the prompt. */
const tokensMax = 440;

export class WhisperTextScorer implements TextScorer {
	readonly #decoder: WhisperDecoder;
	readonly #tokenizer: WhisperTokenizer;
	readonly #context: SequenceContext;
	readonly #own: OwnSpelling;
	readonly #scored = new Map<string, ScoredText>();

	/** @param ownText as the search found it. */
	constructor(
		decoder: WhisperDecoder,
		tokenizer: WhisperTokenizer,
		context: SequenceContext,
		ownText: string,
	) {
		this.#decoder = decoder;
		this.#tokenizer = tokenizer;
		this.#context = context;
		this.#own = new OwnSpelling(ownText);
	}

	async score(texts: readonly string[]): Promise<readonly TextScore[]> {
		await this.#scoreNew(texts);
		return texts.map((text) => (this.#scored.get(text) as ScoredText).score);
	}

	/** The tokens of a text and their log-probabilities, given the audio. */
	async tokensOf(text: string): Promise<ScoredTokens> {
		await this.#scoreNew([text]);
		return this.#scored.get(text) as ScoredText;
	}

	async #scoreNew(texts: readonly string[]): Promise<void> {
		const unknown = texts.filter((text) => !this.#scored.has(text));
		const wanted = [...new Set(unknown)];
		if (wanted.length === 0) return;
		if (this.#scored.size + wanted.length > textsMax)
			throw new RangeError(`at most ${textsMax} texts per segment`);
		const sequences = wanted.map((text) => {
			const tokens = this.#tokenizer.encode(this.#own.restore(text));
			if (tokens.length > tokensMax)
				throw new RangeError(`a text has at most ${tokensMax} tokens`);
			return tokens;
		});
		const decoder = this.#decoder;
		const heard = await scoreSequences(decoder, this.#context, sequences);
		const cross = silentCross(decoder);
		const silent = { ...this.#context, cross: () => cross };
		const unheard = await scoreSequences(decoder, silent, sequences);
		wanted.forEach((text, i) => {
			const tokens = sequences[i] as readonly number[];
			const logp = heard[i] as SequenceScores;
			const score = {
				logp: sum(logp.slice(0, -1)),
				endLogp: logp.at(-1) as number,
				internalLogp: sum((unheard[i] as SequenceScores).slice(0, -1)),
			};
			this.#scored.set(text, { tokens, logp, score });
		});
	}
}

interface ScoredText extends ScoredTokens {
	readonly score: TextScore;
}

/** Nothing to attend to: one position of zeros. */
function silentCross({ port, shape }: WhisperDecoder) {
	const { heads, state, decoderLayers } = shape;
	const headSize = state / heads;
	const zeros = new Float32Array(state);
	const keys = port.tensor("float32", zeros, [1, heads, headSize, 1]);
	const values = port.tensor("float32", zeros, [1, heads, 1, headSize]);
	const layers = [...Array(decoderLayers).keys()];
	return Object.fromEntries(
		layers.flatMap((layer) => [
			[layerName("cross_k", layer), keys],
			[layerName("cross_v", layer), values],
		]),
	);
}

/**
 * Whisper writes simplified or traditional characters, and texts to score are simplified. What a text has in common with Whisper's own is scored as
 * Whisper wrote it: otherwise a text would lose only because of its characters' form.
 */
export class OwnSpelling {
	/** Undefined where Whisper wrote simplified characters. */
	readonly #own:
		| { readonly written: string[]; readonly simplified: string[] }
		| undefined;

	constructor(ownText: string) {
		const written = [...ownText];
		const simplified = simplifyCharacters(written);
		const isSimplified = written.every((it, i) => it === simplified[i]);
		this.#own = isSimplified ? undefined : { written, simplified };
	}

	/** The text with Whisper's characters where it is the same as Whisper's. */
	restore(text: string): string {
		if (this.#own === undefined) return text;
		const { written, simplified } = this.#own;
		const characters = [...text];
		for (const [i, k] of commonPairs(characters, simplified))
			characters[i] = written[k] as string;
		return characters.join("");
	}
}

/** Index pairs of a longest common subsequence. */
function commonPairs(
	a: readonly string[],
	b: readonly string[],
): [number, number][] {
	const width = b.length + 1;
	const lengths = new Uint16Array((a.length + 1) * width);
	for (let i = a.length - 1; i >= 0; i--)
		for (let k = b.length - 1; k >= 0; k--)
			lengths[i * width + k] =
				a[i] === b[k]
					? 1 + (lengths[(i + 1) * width + k + 1] as number)
					: Math.max(
							lengths[(i + 1) * width + k] as number,
							lengths[i * width + k + 1] as number,
						);
	const pairs: [number, number][] = [];
	for (let i = 0, k = 0; i < a.length && k < b.length; )
		if (a[i] === b[k]) pairs.push([i++, k++]);
		else if (
			(lengths[(i + 1) * width + k] as number) >=
			(lengths[i * width + k + 1] as number)
		)
			i++;
		else k++;
	return pairs;
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
