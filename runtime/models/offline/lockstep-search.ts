/**
 * Greedy search for several texts at once: a decoder writes the next token of each in one step. A text that has ended waits for the others. Each is the text that
 * decoder-search.ts finds for it alone, as far as a row's scores do not depend on the others in its run: those of an 8-bit decoder do, in the last digits.
 *
 * Pure, and independent of any model.
 */

import { likeliestOne, logSumOf } from "../../search/log-probability.js";
import { loopLength, withoutLoop } from "../../search/repetition.js";
import type { DecodedToken } from "./decoder-search.js";

/** A decoder of several segments, whose rows are in their order. */
export interface LockstepDecoder<State> {
	/** @param state after the tokens before, undefined at the beginning; released by the step. @returns scores of what follows each token */
	step(
		state: State | undefined,
		tokens: readonly number[],
	): Promise<{
		readonly scores: readonly Float32Array[];
		readonly state: State;
	}>;
	release(state: State): void;
}

export interface LockstepText {
	readonly tokensMax: number;
	readonly cancelled: () => boolean;
}

export type LockstepResult = readonly DecodedToken[] | "cancelled";

/** @param texts one for each row. @returns their tokens, without the end; a loop at an end is cut. */
export async function searchInLockstep<State>(
	decoder: LockstepDecoder<State>,
	texts: readonly LockstepText[],
	{
		startOfText,
		endOfText,
	}: { readonly startOfText: number; readonly endOfText: number },
): Promise<LockstepResult[]> {
	const rows = texts.map((text) => ({
		...text,
		tokens: [] as DecodedToken[],
		isOpen: text.tokensMax > 0,
		isCancelled: false,
	}));
	let state: State | undefined;
	try {
		for (;;) {
			for (const row of rows)
				if (row.isOpen && row.cancelled()) {
					row.isCancelled = true;
					row.isOpen = false;
				}
			if (rows.every(({ isOpen }) => !isOpen)) break;
			const before = state;
			state = undefined;
			const next = await decoder.step(
				before,
				rows.map(({ tokens, isOpen }) =>
					isOpen ? (tokens.at(-1)?.token ?? startOfText) : endOfText,
				),
			);
			state = next.state;
			for (const [i, row] of rows.entries())
				if (row.isOpen)
					row.isOpen = goesOn(row, next.scores[i] as Float32Array, endOfText);
		}
	} finally {
		if (state !== undefined) decoder.release(state);
	}
	return rows.map(({ isCancelled, tokens }) =>
		isCancelled
			? "cancelled"
			: tokens.slice(0, withoutLoop(tokens.map((it) => it.token)).length),
	);
}

/** Writes the likeliest token. @returns whether the text goes on after it */
function goesOn(
	row: { readonly tokens: DecodedToken[]; readonly tokensMax: number },
	scores: Float32Array,
	endOfText: number,
): boolean {
	const { tokens, tokensMax } = row;
	const token = likeliestOne(scores) ?? endOfText;
	if (token === endOfText) return false;
	tokens.push({ token, logp: (scores[token] as number) - logSumOf(scores) });
	if (loopLength(tokens.map((it) => it.token)) > 0) return false;
	return tokens.length < tokensMax;
}
