import t from "tap";
import {
	type AttentionShape,
	tokenStarts,
} from "../../runtime/models/whisper/alignment.js";
import { timeWords } from "../../runtime/models/writing/word-times.js";
import { type Random, randomOf } from "../fuzz/random.js";

const positions = 100;

/** Attention of two heads whose rows attend to one place each, slightly spread, preceded by a few rows that are not aligned. */
function attention(peaks: readonly number[], rowsBefore: number): Float32Array {
	const rows = peaks.length + rowsBefore;
	const values = new Float32Array(2 * rows * positions).fill(1e-4);
	for (let head = 0; head < 2; head++)
		peaks.forEach((peak, row) => {
			for (let p = 0; p < positions; p++)
				values[(head * rows + rowsBefore + row) * positions + p] =
					1e-4 + Math.exp(-((p - peak) ** 2) / 18);
		});
	return values;
}

t.test("tokens begin where the attention moves on", (t) => {
	const peaks = [10, 30, 50, 70];
	const starts = tokenStarts(attention(peaks, 3), {
		heads: 2,
		rows: 7,
		positions,
		rowStart: 3,
		rowEnd: 7,
		positionsUsed: 80,
	});
	t.equal(starts.length, 5);
	t.equal(starts[0], 0);
	t.equal(starts[4], 80);
	for (const [row, between] of [20, 40, 60].entries()) {
		const start = starts[row + 1] as number;
		t.ok(Math.abs(start - between) <= 4, `${start} is near ${between}`);
	}
	t.end();
});

t.test("starts never decrease, for any attention", (t) => {
	const starts = tokenStarts(attention([70, 10, 50, 20], 1), {
		heads: 2,
		rows: 5,
		positions,
		rowStart: 1,
		rowEnd: 5,
		positionsUsed: positions,
	});
	for (let i = 1; i < starts.length; i++)
		t.ok((starts[i] as number) >= (starts[i - 1] as number));
	t.end();
});

t.test("one token over one position", (t) => {
	const starts = tokenStarts(Float32Array.of(1, 1), {
		heads: 1,
		rows: 2,
		positions: 1,
		rowStart: 0,
		rowEnd: 2,
		positionsUsed: 1,
	});
	t.equal(starts.length, 3);
	t.ok(starts.every(Number.isFinite));
	t.end();
});

t.test("the starts are those of the definition, at any size", (t) => {
	const random = randomOf(7);
	for (const [rows, positionsUsed] of [
		[1, 1],
		[1, 5],
		[2, 2],
		[5, 3],
		[3, 4],
		[7, 6],
		[2, 9],
		[20, 100],
		[40, 150],
	] as const)
		for (const kind of ["peaked", "any", "few values", "one value"] as const) {
			const shape = {
				heads: 3,
				rows: rows + 2,
				positions: positionsUsed + 4,
				rowStart: 2,
				rowEnd: rows + 2,
				positionsUsed,
			};
			const drawn = drawnAttention(kind, shape, random);
			t.same(
				[...tokenStarts(drawn, shape)],
				definedStarts(drawn, shape),
				`${kind}, ${rows} rows, ${positionsUsed} positions`,
			);
		}
	t.end();
});

t.test("attention that is nothing, or no number, has starts too", (t) => {
	const shape = {
		heads: 1,
		rows: 4,
		positions: 30,
		rowStart: 0,
		rowEnd: 4,
		positionsUsed: 30,
	};
	const drawn = drawnAttention("any", shape, randomOf(3));
	const [nothing, noNumber] = [drawn.slice(), drawn.slice()];
	nothing.fill(0, 30, 60);
	noNumber[70] = Number.NaN;
	for (const one of [nothing, noNumber])
		t.ok(tokenStarts(one, shape).every(Number.isFinite));
	t.end();
});

function drawnAttention(
	kind: "peaked" | "any" | "few values" | "one value",
	{ heads, rows, positions }: AttentionShape,
	random: Random,
): Float32Array {
	return Float32Array.from({ length: heads * rows * positions }, (_, i) => {
		const row = Math.floor(i / positions) % rows;
		const off = (i % positions) - (row / rows) * positions;
		if (kind === "peaked") return Math.exp(-(off ** 2) / 50) + 1e-4 * random();
		if (kind === "any") return random();
		return kind === "one value" ? 0.25 : (1 + Math.floor(3 * random())) / 4;
	});
}

/** As the head of alignment.ts says, each step for all values before the next. */
function definedStarts(
	attention: Float32Array,
	{ heads, rows, positions, rowStart, rowEnd, positionsUsed }: AttentionShape,
): number[] {
	const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
	const cost = Array.from({ length: rowEnd - rowStart }, () =>
		Array<number>(positionsUsed).fill(0),
	);
	for (let head = 0; head < heads; head++) {
		const shares = cost.map((_, r) => {
			const from = (head * rows + rowStart + r) * positions;
			const row = [...attention.subarray(from, from + positionsUsed)];
			const all = sum(row);
			return row.map((value) => Math.fround(value / all));
		});
		const columns = cost[0]?.map((_, p) => {
			const values = shares.map((row) => row[p] as number);
			const mean = sum(values) / values.length;
			const squares = sum(values.map((it) => it * it)) / values.length;
			return { mean, variance: Math.max(squares - mean * mean, 1e-18) };
		});
		const normal = shares.map((row) =>
			row.map((value, p) => {
				const { mean = 0, variance = 1 } = columns?.[p] ?? {};
				return Math.fround((value - mean) / Math.sqrt(variance));
			}),
		);
		for (const [r, row] of cost.entries())
			for (const p of row.keys()) {
				const around = [-3, -2, -1, 0, 1, 2, 3].map((offset) => {
					const at = Math.abs(p + offset);
					const back = Math.max(0, 2 * (positionsUsed - 1) - at);
					return normal[r]?.[at < positionsUsed ? at : back] as number;
				});
				const median = around.sort((a, b) => a - b)[3] as number;
				row[p] = Math.fround((row[p] as number) - median / heads);
			}
	}
	return cheapestPath(cost);
}

/** Where the cheapest way through all rows enters each, and its end. */
function cheapestPath(cost: readonly (readonly number[])[]): number[] {
	const total: number[][] = [];
	const at = (r: number, p: number) =>
		r < 0 && p < 0 ? 0 : (total[r]?.[p] ?? Number.POSITIVE_INFINITY);
	for (const [r, row] of cost.entries()) {
		total.push([]);
		for (const [p, value] of row.entries())
			total[r]?.push(
				value + Math.min(at(r - 1, p - 1), at(r - 1, p), at(r, p - 1)),
			);
	}
	const last = (cost[0]?.length ?? 0) - 1;
	const starts = [last + 1];
	for (let r = cost.length - 1, p = last; r >= 0 && p >= 0; ) {
		starts[r] = p;
		const [both, row, position] = [
			at(r - 1, p - 1),
			at(r - 1, p),
			at(r, p - 1),
		];
		if (row < both && row < position) r--;
		else if (position < both) p--;
		else {
			r--;
			p--;
		}
	}
	starts[cost.length] = last + 1;
	return starts;
}

const character = (text: string, token: number) => ({
	text,
	tokenStart: token,
	tokenEnd: token + 1,
	from: 0,
	to: 1,
});

t.test("pauses belong to no word, and a mark has no duration", (t) => {
	// 1 s of frames: sound at 0.20-0.45 and 0.60-0.90
	const sonority = Float32Array.from({ length: 100 }, (_, frame) =>
		(frame >= 20 && frame < 45) || (frame >= 60 && frame < 90) ? -20 : -60,
	);
	const words = ["one", ",", "two", "."].map((text, token) => ({
		text,
		kind: token % 2 ? ("punc" as const) : ("normal" as const),
		first: character(text, token),
		last: character(text, token),
	}));
	// the attention leaves "one" early and enters "two" in the pause
	const timed = timeWords(words, Float32Array.of(0, 20, 25, 40, 50), sonority);
	const times = timed.map(({ startSeconds, endSeconds }) => [
		startSeconds,
		endSeconds,
	]);
	t.same(times, [
		[0.2, 0.45],
		[0.45, 0.45],
		[0.6, 0.9],
		[0.9, 0.9],
	]);
	t.end();
});
