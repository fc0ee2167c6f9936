import t from "tap";
import { tokenStarts } from "../../runtime/models/whisper/alignment.js";
import { timeWords } from "../../runtime/models/writing/word-times.js";

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
