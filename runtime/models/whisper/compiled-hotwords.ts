/**
 * A hotword list compiled for the recognizer: the graph that the search walks, the sounds that repair looks for, and the spellings. It is compiled once
 * and kept while the list is in use. 20,000 words take about 0.3 s, so compilation runs in pieces, while a session's first audio arrives.
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
	/** Undefined for languages that do not use readings. */
	readonly sounds: WordSounds | undefined;
}

export interface WordSounds {
	readonly index: SoundIndex;
	/** Indexed by the numbers that `index` returns. */
	readonly writings: readonly string[];
}

/** A graph position with more continuations than this gets no offers: too little of a word has been matched to be evidence for it. */
const offersMax = 64;
/** Graph positions whose offers are cached. */
const placesMax = 4096;
/** Entries per piece. */
const entriesOfPiece = 50;
/** The search finds longer words without repair. */
const chinese = /^\p{Script=Han}{2,8}$/u;

/** Compiled lists by list and language; an entry is released with the list it was compiled from. */
export class CompiledHotwordCache {
	readonly #compiled = new Map<
		PromptLanguage,
		CompiledLists<CompiledHotwords>
	>();
	readonly #readTokens: () => Piecewise<Vocabulary>;
	#vocabulary: Vocabulary | undefined;

	/** @param readTokens the model's tokens, without suppressed ones. */
	constructor(readTokens: () => Piecewise<Vocabulary>) {
		this.#readTokens = readTokens;
	}

	/** Compiles the list so that `of` returns without delay; several callers may share the work. */
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

function compilingGraph(
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

/** The graph ignores case for ASCII letters only, so other letters need a lower-case variant. */
function writingsOf(writing: string, language: PromptLanguage): string[] {
	const plain = writing.normalize("NFKC");
	const writings = new Set([plain, plain.toLowerCase()]);
	// the search writes either, and texts are compared with it in simplified characters
	if (language === "zh") writings.add(traditional(plain)).add(simplify(plain));
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

/** A graph, and the tokens that could continue a hotword at each of its positions. */
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
