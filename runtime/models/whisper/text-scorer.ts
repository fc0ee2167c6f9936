/**
 * Scores texts against a segment's audio, and without audio: the same decoder with nothing to attend to is Whisper's internal language model.
 *
 * With a scorer in the package, a text's score is the recognizer's own text's and the differences between them (window-scores.ts). Without one, and for words
 * that the scorer does not know, every text is scored as a whole by the decoder, which takes about six times as long.
 */

import { sum } from "../../search/log-probability.js";
import type { ScoreOptions, TextScore, TextScorer } from "../refinement.js";
import type { WhisperDecoder } from "./decoder.js";
import { OwnSpelling } from "./own-spelling.js";
import {
	type SequenceContext,
	type SequenceScores,
	scoreSequences,
	silentCross,
} from "./sequence-scores.js";
import { type Window, windowsOf } from "./text-windows.js";
import type { WhisperTokenizer } from "./tokenizer.js";
import type { TreeScorer } from "./tree-scorer.js";
import { type ScoredTokens, WindowScores } from "./window-scores.js";

/** What a text is scored with. */
export interface ScoringTools {
	readonly decoder: WhisperDecoder;
	readonly tokenizer: WhisperTokenizer;
	/** Absent where the package has none. */
	readonly treeScorer?: TreeScorer | undefined;
}

/** Texts scored per segment; more is a mistake of the caller. */
const textsMax = 200;
/** Tokens of a text: Whisper's text context is 448 with the prompt. */
const tokensMax = 440;

interface EncodedText {
	readonly tokens: readonly number[];
	/** How it differs from the recognizer's own text; undefined where it can only be scored as a whole. */
	readonly windows: readonly Window[] | undefined;
}

interface WholeScores {
	readonly logp: readonly number[];
	readonly internalLogp: number;
}

export class WhisperTextScorer implements TextScorer {
	readonly #tools: ScoringTools;
	readonly #context: SequenceContext;
	readonly #own: OwnSpelling;
	/** The recognizer's text, with which others are compared. */
	readonly #reference: ScoredTokens;
	/** Scores of texts that the search found. */
	readonly #found: ReadonlyMap<string, ScoredTokens>;
	readonly #windows: WindowScores | undefined;
	readonly #encoded = new Map<string, EncodedText>();
	readonly #whole = new Map<string, WholeScores>();
	readonly #requested = new Set<string>();

	/**
	 * @param own the text as the search found it.
	 * @param found scores of texts that the search found.
	 * @param inTraditional see OwnSpelling.
	 */
	constructor(
		tools: ScoringTools,
		context: SequenceContext,
		own: ScoredTokens,
		found: ReadonlyMap<string, ScoredTokens> = new Map(),
		inTraditional = false,
	) {
		this.#tools = tools;
		this.#context = context;
		this.#own = new OwnSpelling(tools.tokenizer, own.tokens, inTraditional);
		this.#reference = own;
		this.#found = found;
		const { treeScorer } = tools;
		this.#windows = treeScorer && new WindowScores(treeScorer, context, own);
	}

	async score(
		texts: readonly string[],
		{ internal = true }: ScoreOptions = {},
	): Promise<readonly TextScore[]> {
		await this.#scoreNew(texts, internal);
		return texts.map((text) => this.#scoreOf(text) as TextScore);
	}

	/** The tokens of a text and their log-probabilities, given the audio. */
	async tokensOf(text: string): Promise<ScoredTokens> {
		await this.#scoreNew([text], false);
		const { tokens } = this.#encodedText(text);
		return { tokens, logp: this.#logpOf(text) as readonly number[] };
	}

	async #scoreNew(texts: readonly string[], internal: boolean): Promise<void> {
		for (const text of texts) this.#requested.add(text);
		if (this.#requested.size > textsMax)
			throw new RangeError(`at most ${textsMax} texts per segment`);
		const windows: Window[] = [];
		const whole: string[] = [];
		for (const text of this.#requested) {
			const encoded = this.#encodedText(text);
			if (!encoded.windows) {
				if (!this.#whole.has(text)) whole.push(text);
			} else if (texts.includes(text)) windows.push(...encoded.windows);
		}
		await this.#windows?.score(windows, "withAudio");
		if (internal) await this.#windows?.score(windows, "withoutAudio");
		if (whole.length > 0) await this.#scoreWhole(whole);
	}

	/** @returns undefined where it does not follow from what was scored. */
	#scoreOf(text: string): TextScore | undefined {
		const logp = this.#logpOf(text);
		if (!logp) return undefined;
		return {
			logp: sum(logp.slice(0, -1)),
			endLogp: logp.at(-1) as number,
			internalLogp: this.#internalLogpOf(text),
		};
	}

	#logpOf(text: string): readonly number[] | undefined {
		const whole = this.#whole.get(text);
		if (whole) return whole.logp;
		const { windows } = this.#encodedText(text);
		if (!windows || !this.#windows?.has(windows, "withAudio")) return undefined;
		return (
			this.#found.get(text)?.logp ?? this.#windows.joined(windows, "withAudio")
		);
	}

	#internalLogpOf(text: string): number {
		const whole = this.#whole.get(text);
		if (whole) return whole.internalLogp;
		const { windows } = this.#encodedText(text);
		if (!windows || !this.#windows?.has(windows, "withoutAudio"))
			return Number.NaN;
		return sum(this.#windows.joined(windows, "withoutAudio").slice(0, -1));
	}

	#encodedText(text: string): EncodedText {
		const known = this.#encoded.get(text);
		if (known) return known;
		const found = this.#found.get(text);
		const tokens = found?.tokens ?? this.#own.encode(text);
		if (tokens.length > tokensMax)
			throw new RangeError(`a text has at most ${tokensMax} tokens`);
		const { treeScorer } = this.#tools;
		const windows = treeScorer && windowsOf(tokens, this.#reference.tokens);
		const isKnown =
			found !== undefined ||
			windows?.every((one) => one.tokens.every((it) => treeScorer?.knows(it)));
		const encoded = { tokens, windows: isKnown ? windows : undefined };
		this.#encoded.set(text, encoded);
		return encoded;
	}

	async #scoreWhole(texts: readonly string[]): Promise<void> {
		const { decoder } = this.#tools;
		const sequences = texts.map((it) => this.#encodedText(it).tokens);
		const withAudio = await scoreSequences(decoder, this.#context, sequences);
		const cross = silentCross(decoder);
		const silent = { ...this.#context, cross: () => cross };
		const withoutAudio = await scoreSequences(decoder, silent, sequences);
		texts.forEach((text, i) => {
			const internal = (withoutAudio[i] as SequenceScores).slice(0, -1);
			this.#whole.set(text, {
				logp: withAudio[i] as SequenceScores,
				internalLogp: sum(internal),
			});
		});
	}
}
