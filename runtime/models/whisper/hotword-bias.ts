/**
 * Hotword biasing for the search of a segment: the bonus of a list's words, and how much of a word each hypothesis has matched.
 */
import type { Biasing } from "../../search/biased-search.js";
import type { Context } from "../../search/context-walk.js";
import { hotwordSpans } from "../../search/hotword-spans.js";
import type { Hypothesized } from "../../search/merge-hypotheses.js";
import { Vocabulary } from "../../search/vocabulary.js";
import { hotwordWorth } from "../hotword-graphs.js";
import type { HotwordOptions } from "../recognizer.js";
import type { TextPiece } from "../writing/transcript.js";
import {
	CompiledHotwordCache,
	type OfferingGraph,
} from "./compiled-hotwords.js";
import type { PromptLanguage } from "./punctuator.js";
import type { WhisperShape } from "./shape.js";
import type { HotwordSounds } from "./sound-repair.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** In longer lists some word's beginning matches almost everywhere: fewer matches are followed, since otherwise each step of the search costs a third more. */
const fewMax = 1000;
const rowsForFew = { width: Number.POSITIVE_INFINITY, ownRows: 2 };
const rowsForMany = { width: 3, ownRows: 1 };
const utf8 = new TextEncoder();

export class HotwordBiases {
	readonly #tokenizer: WhisperTokenizer;
	readonly #compiled: CompiledHotwordCache;

	constructor(
		tokenizer: WhisperTokenizer,
		{ special, suppress }: Pick<WhisperShape, "special" | "suppress">,
	) {
		this.#tokenizer = tokenizer;
		this.#compiled = new CompiledHotwordCache(() =>
			Vocabulary.reading(
				Array.from({ length: special.endOfText }, (_, token) =>
					tokenizer.bytesOf(token),
				),
				new Set(suppress),
			),
		);
	}

	/** Compiles a list before its first use, which would otherwise have to wait for the compilation. */
	preparing({ list }: HotwordOptions, language: PromptLanguage) {
		return this.#compiled.preparing(list, language);
	}

	/** @returns undefined where no entry can be matched. */
	biasFor(
		hotwords: HotwordOptions,
		language: PromptLanguage,
		prefix: readonly number[],
	): Biasing | undefined {
		const { list } = hotwords;
		const offering = this.#compiled.of(list, language).graph;
		if (offering.graph.isEmpty) return undefined;
		return new HotwordBias(
			offering,
			this.#tokenizer,
			hotwordWorth(hotwords),
			list.entries.length > fewMax ? rowsForMany : rowsForFew,
			prefix,
		);
	}

	spellingFor({ list }: HotwordOptions, language: PromptLanguage) {
		return this.#compiled.of(list, language).spelling;
	}

	/** @returns what the hotwords in a text earn; undefined where no entry can be matched. */
	bonusesIn(
		hotwords: HotwordOptions,
		language: PromptLanguage,
	): ((text: string) => number) | undefined {
		const { graph } = this.#compiled.of(hotwords.list, language).graph;
		if (graph.isEmpty) return undefined;
		const nats = hotwordWorth(hotwords);
		return (text) => {
			const context = graph.advance(graph.start, utf8.encode(text));
			return nats * graph.unitsAtEnd(context);
		};
	}

	/** @returns undefined for languages that do not use readings. */
	soundsFor(
		hotwords: HotwordOptions,
		language: PromptLanguage,
	): HotwordSounds | undefined {
		const { sounds } = this.#compiled.of(hotwords.list, language);
		return sounds && { ...sounds, nats: hotwordWorth(hotwords) };
	}
}

class HotwordBias implements Biasing {
	readonly #offering: OfferingGraph;
	readonly #tokenizer: WhisperTokenizer;
	readonly #nats: number;
	readonly start: Context;
	readonly width: number;
	readonly ownRows: number;

	/** @param prefix settled tokens: hotwords inside them earn no bonus, but a hotword that they begin may be completed. */
	constructor(
		offering: OfferingGraph,
		tokenizer: WhisperTokenizer,
		nats: number,
		{ width, ownRows }: Pick<Biasing, "width" | "ownRows">,
		prefix: readonly number[],
	) {
		this.#offering = offering;
		this.#tokenizer = tokenizer;
		this.#nats = nats;
		this.width = width;
		this.ownRows = ownRows;
		let context = offering.graph.start;
		for (const token of prefix) context = this.advance(context, token);
		this.start = { ...context, settled: 0 };
	}

	advance(context: Context, token: number): Context {
		return this.#offering.graph.advance(
			context,
			this.#tokenizer.bytesOf(token),
		);
	}

	bonus(context: Context): number {
		return this.#nats * this.#offering.graph.units(context);
	}

	bonusAtEnd(context: Context): number {
		return this.#nats * this.#offering.graph.unitsAtEnd(context);
	}

	offers(context: Context): readonly number[] {
		return this.#offering.offers(context);
	}

	read(tokens: readonly number[], logp: readonly number[]): Hypothesized {
		const whole = this.#tokenizer.pieces(tokens);
		const pieces = withoutGaps(whole, tokens.length).map(
			({ text, tokenStart, tokenEnd }) => ({
				text,
				tokens: tokens.slice(tokenStart, tokenEnd),
				logp: logp.slice(tokenStart, tokenEnd),
			}),
		);
		const { graph } = this.#offering;
		const spans = hotwordSpans(graph, this.start, pieces, this.#nats);
		return { pieces, spans, endLogp: logp[tokens.length] ?? 0 };
	}
}

/** Tokens that are in no piece may end a character that the prefix began: they must not be lost. */
function withoutGaps(
	pieces: readonly TextPiece[],
	tokens: number,
): TextPiece[] {
	const all: TextPiece[] = [];
	let tokenStart = 0;
	const fill = (tokenEnd: number) => {
		if (tokenEnd > tokenStart)
			all.push({ text: "\ufffd", tokenStart, tokenEnd });
	};
	for (const piece of pieces) {
		fill(piece.tokenStart);
		all.push(piece);
		tokenStart = piece.tokenEnd;
	}
	fill(tokens);
	return all;
}
