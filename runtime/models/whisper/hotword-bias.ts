/**
 * Hotwords as the search of a segment uses them: the graph of a list, compiled once for as long as the list is in use, and what its words are worth.
 */
import type { Biasing } from "../../search/biased-search.js";
import { ContextGraph } from "../../search/context-graph.js";
import type { Context } from "../../search/context-walk.js";
import type { Hypothesized } from "../../search/merge-hypotheses.js";
import { SoundIndex } from "../../search/sound-alike.js";
import { Vocabulary } from "../../search/vocabulary.js";
import { syllablesOf } from "../../text/zh/pinyin.js";
import { simplify } from "../../text/zh/simplify.js";
import { traditional } from "../../text/zh/traditional.js";
import { parseHotword } from "../../words/hotword.js";
import type { WordList } from "../../words/word-list.js";
import type { WhisperShape } from "../manifest.js";
import type { HotwordOptions } from "../recognizer.js";
import { HotwordSpelling } from "./hotword-spelling.js";
import type { PromptLanguage } from "./punctuator.js";
import type { Sounds } from "./sound-repair.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/**
 * Bonus of one unit (a Chinese character, four letters; a hotword counts three at most) at a weight of 1, natural logarithm. Grows with the root of the
 * weight: 1.5 at 0.1, 3.0 at 0.4, 4.75 at 1.
 */
const natsPerUnit = 4.75;
/** Entries that are no crowd, */
const crowdMin = 120;
/** and how much ten times as many take from each. */
const crowdFactor = 0.5;
/** Of a list of more words than this some beginning is always being said: fewer of them are followed, or each step of the search costs a third more. */
const fewMax = 1000;
const rowsForFew = { width: Number.POSITIVE_INFINITY, ownRows: 2 };
const rowsForMany = { width: 3, ownRows: 1 };
/** A place that more tokens go on from is offered none: what was said until there means little. */
const offersMax = 64;
/** Places whose offers are remembered. */
const placesMax = 4096;
const utf8 = new TextEncoder();
/** Longer ones are found by the search. */
const chinese = /^\p{Script=Han}{2,8}$/u;

/** What was made of lists, by list and language; a list that nobody uses any more takes it with it. */
class Compiled<Made> {
	readonly #made = new WeakMap<WordList, Map<PromptLanguage, Made>>();

	of(list: WordList, language: PromptLanguage, make: () => Made): Made {
		let byLanguage = this.#made.get(list);
		if (byLanguage === undefined) {
			byLanguage = new Map();
			this.#made.set(list, byLanguage);
		}
		let made = byLanguage.get(language);
		if (made === undefined) {
			made = make();
			byLanguage.set(language, made);
		}
		return made;
	}
}

export class HotwordBiases {
	readonly #graphs = new Compiled<OfferingGraph>();
	readonly #sounds = new Compiled<Omit<Sounds, "nats">>();
	readonly #spellings = new Compiled<HotwordSpelling>();
	#vocabulary: Vocabulary | undefined;

	constructor(
		private readonly tokenizer: WhisperTokenizer,
		private readonly shape: WhisperShape,
	) {}

	/** @returns undefined where no entry can be looked for. */
	biasFor(
		{ list, weight }: HotwordOptions,
		language: PromptLanguage,
		prefix: readonly number[],
	): Biasing | undefined {
		const offering = this.#graphOf(list, language);
		if (offering.graph.isEmpty) return undefined;
		return new HotwordBias(
			offering,
			this.tokenizer,
			strengthOf(list, weight),
			list.entries.length > fewMax ? rowsForMany : rowsForFew,
			prefix,
		);
	}

	spellingFor({ list }: HotwordOptions, language: PromptLanguage) {
		return this.#spellings.of(
			list,
			language,
			() => new HotwordSpelling(list.entries, language),
		);
	}

	/** @returns undefined where readings play no part. */
	soundsFor(
		{ list, weight }: HotwordOptions,
		language: PromptLanguage,
	): Sounds | undefined {
		if (language !== "zh") return undefined;
		const known = this.#sounds.of(list, language, () => {
			const writings = list.entries
				.map((entry) => simplify(parseHotword(entry).writing.normalize("NFKC")))
				.filter((writing) => chinese.test(writing));
			const read = writings.map((writing) => syllablesOf([...writing]));
			return { index: new SoundIndex(read), writings };
		});
		return { ...known, nats: strengthOf(list, weight) };
	}

	#graphOf(list: WordList, language: PromptLanguage): OfferingGraph {
		return this.#graphs.of(list, language, () => {
			this.#vocabulary ??= this.#readVocabulary();
			const graph = compileHotwords(list.entries, language);
			return new OfferingGraph(graph, this.#vocabulary);
		});
	}

	#readVocabulary(): Vocabulary {
		const { special, suppress } = this.shape;
		const tokens = Array.from({ length: special.endOfText }, (_, token) =>
			this.tokenizer.bytesOf(token),
		);
		return new Vocabulary(tokens, new Set(suppress));
	}
}

/** Bonus of one unit: among many words the chance grows that a wrong one sounds right, so each is worth less. */
function strengthOf({ entries }: WordList, weight: number): number {
	const crowd = Math.max(0, Math.log10(entries.length / crowdMin));
	return (Math.sqrt(weight) * natsPerUnit) / (1 + crowdFactor * crowd);
}

export function compileHotwords(
	entries: readonly string[],
	language: PromptLanguage,
): ContextGraph {
	return new ContextGraph(
		entries.map((entry) => ({
			writings: writingsOf(parseHotword(entry).writing, language),
		})),
	);
}

/** Case is no matter to the graph, but for letters beyond ASCII. */
function writingsOf(writing: string, language: PromptLanguage): string[] {
	const plain = writing.normalize("NFKC");
	const writings = new Set([plain, plain.toLowerCase()]);
	if (language === "zh") writings.add(traditional(plain));
	return [...writings];
}

/** A graph and what it offers at its places. */
class OfferingGraph {
	readonly #offers = new Map<number, readonly number[]>();

	constructor(
		readonly graph: ContextGraph,
		private readonly vocabulary: Vocabulary,
	) {}

	offers({ node, inWord }: Context): readonly number[] {
		const place = 2 * node + (inWord ? 1 : 0);
		let offers = this.#offers.get(place);
		if (offers === undefined) {
			const { trie } = this.graph;
			offers = this.vocabulary.continuations(trie, node, inWord, offersMax);
			if (this.#offers.size >= placesMax) this.#offers.clear();
			this.#offers.set(place, offers);
		}
		return offers;
	}
}

class HotwordBias implements Biasing {
	readonly start: Context;
	readonly width: number;
	readonly ownRows: number;

	/** @param prefix settled tokens: what is said in them earns nothing any more, what they begin may be ended. */
	constructor(
		private readonly offering: OfferingGraph,
		private readonly tokenizer: WhisperTokenizer,
		private readonly nats: number,
		{ width, ownRows }: Pick<Biasing, "width" | "ownRows">,
		prefix: readonly number[],
	) {
		this.width = width;
		this.ownRows = ownRows;
		let context = offering.graph.start;
		for (const token of prefix) context = this.advance(context, token);
		this.start = { ...context, settled: 0 };
	}

	advance(context: Context, token: number): Context {
		return this.offering.graph.advance(context, this.tokenizer.bytesOf(token));
	}

	bonus(context: Context): number {
		return this.nats * this.offering.graph.units(context);
	}

	bonusAtEnd(context: Context): number {
		return this.nats * this.offering.graph.unitsAtEnd(context);
	}

	offers(context: Context): readonly number[] {
		return this.offering.offers(context);
	}

	read(tokens: readonly number[], logp: readonly number[]): Hypothesized {
		const pieces = this.tokenizer
			.pieces(tokens)
			.map(({ text, tokenStart, tokenEnd }) => ({
				text,
				tokens: tokens.slice(tokenStart, tokenEnd),
				logp: logp.slice(tokenStart, tokenEnd),
			}));
		const bytes = pieces.map((piece) => utf8.encode(piece.text));
		/** Of each byte, its piece. */
		const owners = bytes.flatMap(({ length }, i) => Array(length).fill(i));
		const spans = this.offering.graph
			.spans(this.start, Buffer.concat(bytes))
			.map(({ units, from, to }) => ({
				from: owners[from] ?? 0,
				to: (owners[to - 1] ?? pieces.length - 1) + 1,
				bonus: this.nats * units,
			}));
		return { pieces, spans, endLogp: logp[tokens.length] ?? 0 };
	}
}
