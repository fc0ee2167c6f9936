/** Sums over alignments, against every alignment one by one; and where tokens are expected. */
import t from "tap";
import {
	ForcedScore,
	type PlacedToken,
} from "../../runtime/models/second-ear/forced-score.js";
import { placeTokens } from "../../runtime/models/second-ear/place-tokens.js";
import {
	fakeTransducer,
	numberedFrames,
	type ScoreOf,
} from "./fake-transducer.js";

const vocabulary = 5;
/** Different for every frame, context and token. */
const scoreOf: ScoreOf = (frame, [first = 0, second = 0], token) =>
	Math.sin(1.7 * frame + 0.9 * first + 2.3 * second + 3.1 * token);

function logpOf(frame: number, before: readonly number[], token: number) {
	const context = [-1, 0, ...before].slice(-2);
	const scores = Array.from({ length: vocabulary }, (_, it) =>
		Math.fround(scoreOf(frame, context, it)),
	);
	const sum = scores.reduce((total, it) => total + Math.exp(it), 0);
	return (scores[token] as number) - Math.log(sum);
}

/** Probability of the tokens from a frame on, summed over every alignment. */
function sumOf(
	frames: number,
	tokens: readonly number[],
	emission: (frame: number, before: readonly number[], at: number) => number,
	frame = 0,
	emitted = 0,
): number {
	if (frame === frames) return emitted === tokens.length ? 1 : 0;
	const before = tokens.slice(0, emitted);
	const stay =
		Math.exp(logpOf(frame, before, 0)) *
		sumOf(frames, tokens, emission, frame + 1, emitted);
	if (emitted === tokens.length) return stay;
	return (
		stay +
		emission(frame, before, emitted) *
			sumOf(frames, tokens, emission, frame, emitted + 1)
	);
}

const anywhere = { first: 0, last: 99, tones: undefined, anyTone: false };
const plain = (token: number): PlacedToken => ({ ...anywhere, token });

t.test("every alignment counts, and each once", async (t) => {
	const { transducer } = fakeTransducer(vocabulary, scoreOf);
	for (const count of [1, 2, 6]) {
		const forced = new ForcedScore(transducer, numberedFrames(count), count);
		for (const tokens of [[], [1], [2, 2], [1, 3, 4, 1]]) {
			const [found = 0] = await forced.score([tokens.map(plain)]);
			const wanted = sumOf(count, tokens, (frame, before, at) =>
				Math.exp(logpOf(frame, before, tokens[at] as number)),
			);
			t.ok(Math.abs(found - Math.log(wanted)) < 1e-5, `${tokens}, ${count}`);
		}
	}
});

t.test("a final counts mostly in its tone, and a little in all", async (t) => {
	const { transducer } = fakeTransducer(vocabulary, scoreOf);
	const forced = new ForcedScore(transducer, numberedFrames(4), 4);
	const final = { ...anywhere, token: 3, tones: [3, 4] };
	const [exact = 0, any = 0] = await forced.score([
		[plain(1), final],
		[plain(1), { ...final, anyTone: true }],
	]);
	const wanted = (share: number) =>
		sumOf(4, [1, 3], (frame, before, at) => {
			const p = (token: number) => Math.exp(logpOf(frame, before, token));
			if (at === 0) return p(1);
			return share * p(3) + (1 - share) * (p(3) + p(4));
		});
	t.ok(Math.abs(exact - Math.log(wanted(0.85))) < 1e-5);
	t.ok(Math.abs(any - Math.log(wanted(0))) < 1e-5);
});

t.test("rows are computed once, and only around a token's time", async (t) => {
	const { transducer, rowsJoined } = fakeTransducer(vocabulary, scoreOf);
	const forced = new ForcedScore(transducer, numberedFrames(100), 100, 3);
	const at = (token: number, first: number): PlacedToken => ({
		...plain(token),
		first,
		last: first,
	});
	const sequence = [at(1, 20), at(2, 50)];
	const [first] = await forced.score([sequence]);
	// 0 to 23, 17 to 53, 47 to 99
	t.equal(rowsJoined(), 24 + 37 + 53);
	const [again, other] = await forced.score([sequence, [at(1, 20), at(3, 50)]]);
	t.equal(again, first);
	t.ok(Number.isFinite(other));
	t.equal(rowsJoined(), 24 + 37 + 53 + 53);
});

t.test("no audio: nothing to score", async (t) => {
	const { transducer } = fakeTransducer(vocabulary, scoreOf);
	const forced = new ForcedScore(transducer, numberedFrames(0), 0);
	t.same(await forced.score([[plain(1)], []]), [0, 0]);
	t.same(await forced.score([]), []);
});

t.test("a syllable is expected where its like was recognized", (t) => {
	const tones = [3, 4];
	const emitted = [
		{ tokens: [1, 3], frames: [10, 12] },
		{ tokens: [2, 3], frames: [20, 22] },
		{ tokens: [4], frames: [30] },
	];
	const initial = (token: number) => ({
		token,
		tones: undefined,
		anyTone: false,
	});
	const final = (token: number) => ({ token, tones, anyTone: false });
	const placesOf = (wanted: Parameters<typeof placeTokens>[0], count = 40) =>
		placeTokens(wanted, emitted, count).map(({ first, last }) => [first, last]);
	t.same(
		placesOf([[initial(1), final(4)], [initial(2), final(3)], [final(4)]]),
		[
			[10, 10],
			[12, 12],
			[20, 20],
			[22, 22],
			[30, 30],
		],
	);
	t.same(
		placesOf([[initial(1), final(3)], [final(4)]]),
		[
			[10, 10],
			[12, 12],
			[30, 30],
		],
		"a recognized syllable that the text lacks",
	);
	t.same(
		placesOf([
			[initial(1), final(3)],
			[initial(9), initial(9)],
			[initial(2), final(3)],
			[final(4)],
		]),
		[
			[10, 10],
			[12, 12],
			[12, 20],
			[12, 20],
			[20, 20],
			[22, 22],
			[30, 30],
		],
		"a syllable that was not recognized",
	);
	t.same(
		placesOf([[initial(1), final(3)], [initial(9), final(3)], [final(4)]]),
		[
			[10, 10],
			[12, 12],
			[12, 30],
			[12, 30],
			[30, 30],
		],
		"a syllable that was recognized as another",
	);
	t.same(placeTokens([[final(3)]], [], 5)[0], {
		...final(3),
		first: 0,
		last: 4,
	});
	const toneless = placeTokens(
		[[{ ...final(4), anyTone: true }]],
		[{ tokens: [3], frames: [7] }],
		9,
	);
	t.equal(toneless[0]?.token, 3, "without a tone: the recognized one");
	t.end();
});
