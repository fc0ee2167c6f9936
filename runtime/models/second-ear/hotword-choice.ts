/**
 * Puts hotwords into the text that was chosen without them. Each stands in the place of what the text has there, and only where the joint score and what the
 * hotword earns say so: a list of which no word is said leaves the text as it was.
 */
import { HotwordCandidates } from "../../search/lattice/hotword-candidates.js";
import {
	HotwordWords,
	latticeHotword,
} from "../../search/lattice/hotword-words.js";
import type { Lexicon } from "../../text/zh/word-source.js";
import { CompiledLists } from "../../words/compiled-lists.js";
import { parseHotword } from "../../words/hotword.js";
import type { WordList } from "../../words/word-list.js";
import { crowdOf } from "../hotword-graphs.js";
import type { HotwordOptions } from "../recognizer.js";
import type { ExplainedCandidate, HotwordFindings } from "../refinement.js";
import { type ChoiceParts, HotwordTrial } from "./hotword-trial.js";

export interface ListedText {
	/** The text with hotwords; absent if none was put in. */
	readonly text?: string;
	/** The best first, the text without hotwords among them; none if there was nothing to try. */
	readonly tried: readonly ExplainedCandidate[];
}

export class HotwordChoice {
	readonly #words: CompiledLists<HotwordWords>;

	constructor(lexicon: Lexicon) {
		this.#words = new CompiledLists((list) =>
			HotwordWords.of(latticeHotwords(list), lexicon),
		);
	}

	preparing({ list }: HotwordOptions): Iterable<void> {
		return this.#words.preparing(list);
	}

	async choose(
		hotwords: HotwordOptions | undefined,
		found: HotwordFindings | undefined,
		parts: ChoiceParts,
	): Promise<ListedText> {
		if (!hotwords || !found) return { tried: [] };
		const words = this.#words.of(hotwords.list);
		const texts = new HotwordCandidates(parts.texts, words, found.texts);
		const crowd = crowdOf(hotwords.list);
		const trial = new HotwordTrial(texts, found, parts, crowd);
		const { chosen, tried } = await trial.tried();
		return {
			...(chosen && { text: chosen.text }),
			tried: tried.map(({ candidate: { text }, features, bonus, score }) => ({
				text,
				total: score,
				scores: { ...features, hotwords: bonus },
			})),
		};
	}
}

function* latticeHotwords({ entries }: WordList) {
	for (const entry of entries)
		yield latticeHotword(parseHotword(entry).writing);
}
