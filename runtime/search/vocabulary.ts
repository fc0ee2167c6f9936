/**
 * Finds the tokens that could continue a hotword: the tokens' bytes are walked through the hotwords' trie, so every tokenisation that a decoder may
 * produce is found (with and without a space, in every case, long and short).
 */

import { inPieces, type Piecewise } from "../event-loop/piecewise.js";
import { ByteTrie } from "./byte-trie.js";
import { spellByte } from "./spelling.js";

/** Tokens per piece. */
const tokensOfPiece = 1000;

export class Vocabulary {
	readonly #tokens: ByteTrie;

	private constructor(tokens: ByteTrie) {
		this.#tokens = tokens;
	}

	/** @param tokens bytes of each token; tokens without bytes and those in `forbidden` are never offered. */
	static *reading(
		tokens: readonly Uint8Array[],
		forbidden: ReadonlySet<number> = new Set(),
	): Piecewise<Vocabulary> {
		let symbols = 0;
		for (const bytes of tokens) symbols += bytes?.length ?? 0;
		const trie = new ByteTrie(symbols);
		yield* inPieces(tokens, tokensOfPiece, (bytes, token) => {
			if (bytes.length > 0 && bytes.length < 256 && !forbidden.has(token))
				trie.insert(bytes, token);
		});
		yield* trie.sealing();
		return new Vocabulary(trie);
	}

	/**
	 * Tokens that lead from a node of the hotwords' trie to a deeper one; none if there are more than `most`, because then too little of a word has been
	 * matched to be evidence for it.
	 */
	continuations(
		hotwords: ByteTrie,
		node: number,
		inWord: boolean,
		most: number,
	): readonly number[] {
		const found: number[] = [];
		const { heldDepth, depth, held } = this.#tokens;
		const visit = (token: number, at: number, open: boolean): boolean => {
			for (
				let next = this.#tokens.firstChild(token);
				next >= 0;
				next = this.#tokens.nextSibling(next)
			) {
				const spelled = spellByte(this.#tokens.symbolOf(next), open);
				const entered =
					spelled.border < 0 ? at : hotwords.child(at, spelled.border);
				if (entered < 0) continue;
				const reached =
					spelled.symbol < 0
						? entered
						: hotwords.child(entered, spelled.symbol);
				if (reached < 0) continue;
				if (heldDepth[next] === depth[next] && reached !== node)
					found.push(held[next] as number);
				if (found.length > most) return false;
				if (!visit(next, reached, spelled.inWord)) return false;
			}
			return true;
		};
		return visit(0, node, inWord) ? found : [];
	}
}
