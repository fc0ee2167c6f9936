/**
 * A list of hotwords as the recognizer works with it: the graph that the search walks, the sounds that repair looks for, the spellings. Compiled once for
 * as long as the list is in use: 20,000 words take some 0.3 s, so it is done in pieces, and while a session's first audio comes.
 */

import { inPieces, type Piecewise } from "../../event-loop/piecewise.js";
import { ContextGraph, type GraphEntry } from "../../search/context-graph.js";
import type { Context } from "../../search/context-walk.js";
import { SoundIndex } from "../../search/sound-alike.js";
import type { Vocabulary } from "../../search/vocabulary.js";
import { syllablesOf } from "../../text/zh/pinyin.js";
import { simplify, traditional } from "../../text/zh/simplify.js";
import { CompiledLists } from "../../words/compiled-lists.js";
import { parseHotword } from "../../words/hotword.js";
import type { WordList } from "../../words/word-list.js";
import { HotwordSpelling } from "./hotword-spelling.js";
import type { PromptLanguage } from "./punctuator.js";

export interface CompiledHotwords {
	readonly graph: OfferingGraph;
	readonly spelling: HotwordSpelling;
	/** Undefined where readings play no part. */
	readonly sounds: WordSounds | undefined;
}

export interface WordSounds {
	readonly index: SoundIndex;
	/** By the index's numbers. */
	readonly writings: readonly string[];
}

/** A place that more tokens go on from is offered none: what was said until there means little. */
const offersMax = 64;
/** Places whose offers are remembered. */
const placesMax = 4096;
/** Entries read at a time. */
const entriesOfPiece = 50;
/** Longer ones are found by the search. */
const chinese = /^\p{Script=Han}{2,8}$/u;

/** Lists by list and language; what was made of one that nobody uses any more goes with it. */
export class CompiledHotwordCache {
	readonly #compiled = new Map<
		PromptLanguage,
		CompiledLists<CompiledHotwords>
	>();
	readonly #readTokens: () => Piecewise<Vocabulary>;
	#vocabulary: Vocabulary | undefined;

	/** @param readTokens the model's tokens, without those that are never said. */
	constructor(readTokens: () => Piecewise<Vocabulary>) {
		this.#readTokens = readTokens;
	}

	/** Done when `of` answers at once; several may share the work. */
	preparing(list: WordList, language: PromptLanguage): Piecewise<void> {
		return this.#in(language).preparing(list);
	}

	of(list: WordList, language: PromptLanguage): CompiledHotwords {
		return this.#in(language).of(list);
	}

	#in(language: PromptLanguage): CompiledLists<CompiledHotwords> {
		let compiled = this.#compiled.get(language);
		if (!compiled) {
			compiled = new CompiledLists(({ entries }) =>
				this.#compiling(entries, language),
			);
			this.#compiled.set(language, compiled);
		}
		return compiled;
	}

	*#compiling(
		entries: readonly string[],
		language: PromptLanguage,
	): Piecewise<CompiledHotwords> {
		this.#vocabulary ??= yield* this.#readTokens();
		const graph = yield* compilingGraph(entries, language);
		return {
			graph: new OfferingGraph(graph, this.#vocabulary),
			spelling: yield* HotwordSpelling.reading(entries, language),
			sounds: language === "zh" ? yield* compilingSounds(entries) : undefined,
		};
	}
}

export function compilingGraph(
	entries: readonly string[],
	language: PromptLanguage,
): Piecewise<ContextGraph> {
	return ContextGraph.compiling(graphEntries(entries, language));
}

function* graphEntries(
	entries: readonly string[],
	language: PromptLanguage,
): Generator<GraphEntry> {
	for (const entry of entries)
		yield { writings: writingsOf(parseHotword(entry).writing, language) };
}

/** Case is no matter to the graph, but for letters beyond ASCII. */
function writingsOf(writing: string, language: PromptLanguage): string[] {
	const plain = writing.normalize("NFKC");
	const writings = new Set([plain, plain.toLowerCase()]);
	if (language === "zh") writings.add(traditional(plain));
	return [...writings];
}

function* compilingSounds(entries: readonly string[]): Piecewise<WordSounds> {
	const index = new SoundIndex();
	const writings: string[] = [];
	yield* inPieces(entries, entriesOfPiece, (entry) => {
		const writing = simplify(parseHotword(entry).writing.normalize("NFKC"));
		if (!chinese.test(writing)) return;
		index.add(writings.length, syllablesOf([...writing]));
		writings.push(writing);
	});
	return { index, writings };
}

/** A graph and what it offers at its places. */
export class OfferingGraph {
	readonly #vocabulary: Vocabulary;
	readonly #offers = new Map<number, readonly number[]>();

	constructor(
		readonly graph: ContextGraph,
		vocabulary: Vocabulary,
	) {
		this.#vocabulary = vocabulary;
	}

	offers({ node, inWord }: Context): readonly number[] {
		const place = 2 * node + (inWord ? 1 : 0);
		let offers = this.#offers.get(place);
		if (offers === undefined) {
			const { trie } = this.graph;
			offers = this.#vocabulary.continuations(trie, node, inWord, offersMax);
			if (this.#offers.size >= placesMax) this.#offers.clear();
			this.#offers.set(place, offers);
		}
		return offers;
	}
}
