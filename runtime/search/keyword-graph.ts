/**
 * Spoken phrases as an automaton over tokens (Aho and Corasick 1975): a hypothesis walks along it, and knows at every token how much of which phrase it has
 * said last.
 *
 * Pure, and independent of any model.
 */

/** A token of a phrase, and the tokens that count for it in part. */
export interface KeywordToken {
	readonly token: number;
	/** The same final in all its tones, itself included; empty where there is no such group. */
	readonly variants: readonly number[];
}

export interface Keyword {
	/** At least one. */
	readonly tokens: readonly KeywordToken[];
	/** Mean probability of its tokens from which it counts as spoken, 0 to 1. */
	readonly threshold: number;
}

export interface KeywordNode {
	/** Tokens from the root. */
	readonly depth: number;
	/** Indices of the phrases that are complete here: the longest first, and of those that sound the same, in their order. */
	readonly keywords: readonly number[];
	/** Tokens that continue a phrase here, or begin one inside it. */
	readonly arcs: ReadonlyMap<number, KeywordArc>;
}

export interface KeywordArc extends KeywordToken {
	readonly to: KeywordNode;
}

/** A node while the graph is built. */
interface Draft {
	readonly depth: number;
	readonly keywords: number[];
	readonly arcs: Map<number, { to: Draft } & KeywordToken>;
}

export class KeywordGraph {
	readonly root: KeywordNode;

	constructor(readonly keywords: readonly Keyword[]) {
		const root = draftAt(0);
		keywords.forEach((keyword, index) => {
			insert(root, keyword, index);
		});
		link(root);
		this.root = root;
	}

	/** The node after a token: the longest beginning of a phrase that ends with it. */
	next({ arcs }: KeywordNode, token: number): KeywordNode {
		return arcs.get(token)?.to ?? this.root;
	}
}

function draftAt(depth: number): Draft {
	return { depth, keywords: [], arcs: new Map() };
}

function insert(root: Draft, { tokens }: Keyword, index: number): void {
	let at = root;
	for (const { token, variants } of tokens) {
		const to = at.arcs.get(token)?.to ?? draftAt(at.depth + 1);
		at.arcs.set(token, { token, variants, to });
		at = to;
	}
	at.keywords.push(index);
}

/** Breadth first: every node gets the arcs of its longest proper suffix that is a node, where it has none of its own, and the phrases that end there. */
function link(root: Draft): void {
	const queue: { readonly node: Draft; readonly suffix: Draft }[] = [];
	for (const { to } of root.arcs.values())
		queue.push({ node: to, suffix: root });
	for (let i = 0; i < queue.length; i++) {
		const { node, suffix } = queue[i] as (typeof queue)[number];
		node.keywords.push(...suffix.keywords);
		for (const [token, { to }] of node.arcs)
			queue.push({ node: to, suffix: suffix.arcs.get(token)?.to ?? root });
		for (const [token, arc] of suffix.arcs)
			if (!node.arcs.has(token)) node.arcs.set(token, arc);
	}
}
