/**
 * Hotwords for models whose search scores one token after the other: a list compiled into the graph that hypotheses walk along, kept while the list is
 * in use.
 */

import type { Piecewise } from "../event-loop/piecewise.js";
import { ContextGraph, type GraphEntry } from "../search/context-graph.js";
import type { Context } from "../search/context-walk.js";
import { hotwordSpans } from "../search/hotword-spans.js";
import type { HotwordSpan } from "../search/merge-hypotheses.js";
import { syllablesWithTones } from "../text/zh/pinyin.js";
import { simplify } from "../text/zh/simplify.js";
import { CompiledLists } from "../words/compiled-lists.js";
import { parseHotword } from "../words/hotword.js";
import type { WordList } from "../words/word-list.js";
import type { HotwordOptions } from "./recognizer.js";
import type { SymbolTable } from "./writing/symbol-table.js";
import { type TextPiece, wholeWords } from "./writing/transcript.js";

/**
 * Bonus of one unit (a Chinese character, four letters) at a weight of 1, natural logarithm. Grows with the root of the weight: 1.5 at 0.1, 3.0 at 0.4,
 * 4.75 at 1.
 */
const natsPerUnit = 4.75;
/** Number of entries up to which the bonus is not reduced. */
const crowdMin = 120;
/** How much ten times as many entries reduce the bonus. */
const crowdFactor = 0.5;
/** How many nats better a text with a hotword must be than the one without, for ten times as many entries: 0 up to `crowdMin`, 3 for 20,000. */
const marginFactor = 1.35;

/** @returns the bonus of one unit in nats. In a longer list a wrong word is more likely to sound right, so the bonus is lower. */
export function hotwordWorth({ list, weight }: HotwordOptions): number {
	return (Math.sqrt(weight) * natsPerUnit) / (1 + crowdFactor * crowdOf(list));
}

/** How long a list is: 0 up to `crowdMin` entries, 1 for ten times as many. */
export function crowdOf({ entries }: WordList): number {
	return Math.max(0, Math.log10(entries.length / crowdMin));
}

export class HotwordGraphs {
	readonly #symbols: SymbolTable;
	readonly #graphs = new CompiledLists((list) =>
		ContextGraph.compiling(this.#entriesOf(list)),
	);

	constructor(symbols: SymbolTable) {
		this.#symbols = symbols;
	}

	/** Compiles the list so that `biasFor` returns without delay; several callers may share the work. */
	preparing({ list }: HotwordOptions): Piecewise<void> {
		return this.#graphs.preparing(list);
	}

	/** @returns undefined where no entry can be matched. */
	biasFor(hotwords: HotwordOptions): TokenBias | undefined {
		const graph = this.#graphs.of(hotwords.list);
		if (graph.isEmpty) return undefined;
		return new TokenBias(graph, this.#symbols, {
			nats: hotwordWorth(hotwords),
			margin: marginFactor * crowdOf(hotwords.list),
		});
	}

	#casesOf(plain: string): readonly string[] {
		const isUpper = this.#symbols.letterCase === "upper";
		return isUpper ? [plain.toUpperCase()] : [plain, plain.toLowerCase()];
	}

	*#entriesOf({ entries }: WordList): Generator<GraphEntry> {
		for (const entry of entries) {
			const plain = parseHotword(entry).writing.normalize("NFKC");
			yield {
				writings:
					this.#symbols.units === "pinyin"
						? [syllablesWithTones(plain)]
						: [...new Set([...this.#casesOf(plain), simplify(plain)])],
			};
		}
	}
}

/** The bonus of a list's words for a hypothesis, token by token. */
export class TokenBias {
	readonly #graph: ContextGraph;
	readonly #symbols: SymbolTable;
	readonly #nats: number;
	/** How much better a text with hotwords must be where it differs, natural logarithm. */
	readonly margin: number;
	readonly start: Context;

	/** @param nats bonus of one unit. */
	constructor(
		graph: ContextGraph,
		symbols: SymbolTable,
		{ nats, margin }: { readonly nats: number; readonly margin: number },
	) {
		this.#graph = graph;
		this.#symbols = symbols;
		this.#nats = nats;
		this.margin = margin;
		this.start = graph.start;
	}

	advance(context: Context, token: number, before: number | undefined) {
		return this.#graph.advance(context, this.#symbols.bytesOf(token, before));
	}

	/** @returns a text's pieces, of whole tokens, and the hotwords in it. */
	read(tokens: readonly number[]): {
		readonly pieces: readonly TextPiece[];
		readonly spans: readonly HotwordSpan[];
	} {
		const pieces = wholeWords(this.#symbols.pieces(tokens));
		const spans = hotwordSpans(this.#graph, this.start, pieces, this.#nats);
		return { pieces, spans };
	}

	/** Bonus if the text continues as the best hotword does. */
	bonus(context: Context): number {
		return this.#nats * this.#graph.units(context);
	}

	/** Bonus if the text ends here. */
	bonusAtEnd(context: Context): number {
		return this.#nats * this.#graph.unitsAtEnd(context);
	}
}
