/**
 * What distinguishes texts from one reference, as a tree of tokens to score. A change of some tokens hardly changes the probabilities of those after the next
 * few, so each difference is scored on its own, in the reference's context, with a few tokens after it. Texts that combine the same differences share them:
 * forty texts often have a dozen.
 */

/** Tokens `from` to `to` of the reference replaced by others, up to `end`: the tokens after it that are scored too. */
export interface Window {
	readonly from: number;
	readonly to: number;
	readonly tokens: readonly number[];
	/** `reference.length + 1` where it includes the end of the text. */
	readonly end: number;
}

/** Tokens scored after a difference. Scores of whole texts are then off by 0.6 (root mean square); with 2 by 1.1, with 3 by 0.7, with 8 still by 0.6. */
const tokensAfter = 4;

export function windowsOf(
	tokens: readonly number[],
	reference: readonly number[],
	after = tokensAfter,
): Window[] {
	const windows: Window[] = [];
	let last:
		| { from: number; to: number; start: number; stop: number }
		| undefined;
	const close = () => {
		if (!last) return;
		const end = Math.min(last.to + after, reference.length + 1);
		const changed = tokens.slice(last.start, last.stop);
		windows.push({ from: last.from, to: last.to, tokens: changed, end });
	};
	for (const one of differences(tokens, reference)) {
		if (last && one.from - last.to <= after)
			last = { ...last, to: one.to, stop: one.stop };
		else {
			close();
			last = one;
		}
	}
	close();
	return windows;
}

interface Difference {
	/** In the reference. */
	readonly from: number;
	readonly to: number;
	/** In the text. */
	readonly start: number;
	readonly stop: number;
}

/** By a longest common subsequence. */
function differences(
	tokens: readonly number[],
	reference: readonly number[],
): Difference[] {
	let head = 0;
	const shorter = Math.min(tokens.length, reference.length);
	while (head < shorter && tokens[head] === reference[head]) head++;
	let tail = 0;
	while (
		tail < shorter - head &&
		tokens.at(-1 - tail) === reference.at(-1 - tail)
	)
		tail++;
	const a = tokens.slice(head, tokens.length - tail);
	const b = reference.slice(head, reference.length - tail);
	const found: Difference[] = [];
	let from = 0;
	let start = 0;
	for (const [i, k] of [...commonPairs(a, b), [a.length, b.length] as const]) {
		if (i > start || k > from)
			found.push({
				from: head + from,
				to: head + k,
				start: head + start,
				stop: head + i,
			});
		start = i + 1;
		from = k + 1;
	}
	return found;
}

/** Index pairs of a longest common subsequence. */
export function commonPairs<Item>(
	a: readonly Item[],
	b: readonly Item[],
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

/** A token after a node of the tree, and where its score is. */
export interface Edge {
	readonly node: number;
	readonly token: number;
}

/** A tree of tokens; node 0 is what precedes the texts, and the reference's tokens follow it. */
export class TokenTree {
	/** By node: the token, its depth (1 for a text's first), its parent. */
	readonly tokens: number[] = [-1];
	readonly depths: number[] = [0];
	readonly parents: number[] = [-1];
	/** By node: the tokens that are scored after it; -1 is the end. */
	readonly children: Map<number, number | undefined>[] = [new Map()];

	get size(): number {
		return this.tokens.length;
	}

	/** Adds tokens after a node. @returns their edges. */
	add(node: number, tokens: readonly number[]): Edge[] {
		let at = node;
		return tokens.map((token, i) => {
			const edge = { node: at, token };
			const known = this.children[at]?.get(token);
			if (i + 1 < tokens.length) {
				const next = known ?? this.#create(at, token);
				this.children[at]?.set(token, next);
				at = next;
			} else this.children[at]?.set(token, known);
			return edge;
		});
	}

	/** Adds tokens that are not scored themselves. The tree must be empty. */
	addContext(tokens: readonly number[]): void {
		tokens.forEach((token, i) => {
			this.#create(i, token);
		});
	}

	#create(parent: number, token: number): number {
		const node = this.tokens.length;
		this.tokens.push(token);
		this.depths.push((this.depths[parent] as number) + 1);
		this.parents.push(parent);
		this.children.push(new Map());
		return node;
	}
}
