/** The alignment of tokens to rows of CTC scores, on scores that are written down. */
import t from "tap";
import { alignTokens } from "../../runtime/models/ctc/alignment.js";
import type { LikelyTokens } from "../../runtime/models/ctc/search.js";

const blank = 0;

/** @param probabilities by token; of 0 that of the blank. */
function rowsOf(
	all: readonly Readonly<Record<number, number>>[],
): LikelyTokens[] {
	return all.map((probabilities, row) => {
		const known = Object.entries(probabilities)
			.map(([token, it]) => ({ token: Number(token), logp: Math.log(it) }))
			.sort((a, b) => b.logp - a.logp);
		return {
			row,
			tokens: known.map(({ token }) => token),
			logps: known.map(({ logp }) => logp),
			blankLogp: Math.log(probabilities[blank] ?? 1e-9),
		};
	});
}

t.test("the best path loses nothing", (t) => {
	const rows = rowsOf([
		{ 0: 0.9, 1: 0.1 },
		{ 1: 0.6, 0: 0.4 },
		{ 1: 0.8, 2: 0.2 },
		{ 2: 0.7, 1: 0.3 },
	]);
	const { spikes, total } = alignTokens(rows, [1, 2]);
	t.equal(total, 0);
	t.same(
		spikes.map(({ firstRow, row, total }) => [firstRow, row, total]),
		[
			[1, 2, 0],
			[3, 3, 0],
		],
	);
	t.ok(Math.abs((spikes[0]?.logp ?? 0) - Math.log(0.8)) < 1e-9);
	t.end();
});

t.test("other tokens lose what their rows lose", (t) => {
	const rows = rowsOf([
		{ 1: 0.8, 3: 0.2 },
		{ 0: 0.9, 2: 0.1 },
		{ 2: 0.9, 0: 0.1 },
	]);
	const { spikes, total } = alignTokens(rows, [3, 2]);
	t.ok(Math.abs(total - Math.log(0.2 / 0.8)) < 1e-9);
	t.equal(spikes[0]?.total, total);
	t.equal(spikes[1]?.firstRow, 2);
	t.end();
});

t.test("the same token twice needs a blank between", (t) => {
	const rows = rowsOf([
		{ 1: 0.9, 0: 0.1 },
		{ 1: 0.8, 0: 0.2 },
		{ 1: 0.9, 0: 0.1 },
	]);
	const { spikes, total } = alignTokens(rows, [1, 1]);
	t.ok(Math.abs(total - Math.log(0.2 / 0.8)) < 1e-9);
	t.same(
		spikes.map(({ row }) => row),
		[0, 2],
	);
	t.end();
});

t.test("no tokens are all blanks", (t) => {
	const { spikes, total } = alignTokens(rowsOf([{ 0: 0.5, 1: 0.5 }]), []);
	t.same(spikes, []);
	t.equal(total, 0);
	t.same(alignTokens([], []), { spikes: [], total: 0 });
	t.end();
});
