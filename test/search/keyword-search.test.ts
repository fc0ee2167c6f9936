/** The search for spoken phrases, on probabilities made by hand. */
import t from "tap";
import {
	type Keyword,
	KeywordGraph,
} from "../../runtime/search/keyword-graph.js";
import { KeywordSearch } from "../../runtime/search/keyword-search.js";

const vocabulary = 6;
const tokensOf = (...tokens: readonly number[]) =>
	tokens.map((token) => ({ token, variants: [] }));
const keyword = (tokens: readonly number[], threshold = 0.3): Keyword => ({
	tokens: tokensOf(...tokens),
	threshold,
});

/** Tokens of a frame and their probabilities; the rest is shared by all. */
type FrameProbabilities = Readonly<Record<number, number>>;
const pause: FrameProbabilities = { 0: 0.99 };

function searchFor(...keywords: readonly Keyword[]) {
	return new KeywordSearch(new KeywordGraph(keywords), {
		paths: 4,
		bonus: 1,
		blanksMin: 1,
		vocabulary,
		silent: new Set([0]),
	});
}

/** The same in every context. */
function find(
	search: KeywordSearch,
	frames: readonly FrameProbabilities[],
	first = 0,
) {
	return frames.flatMap((frame, i) => {
		const given = Object.values(frame).reduce((sum, it) => sum + it, 0);
		const rest = (1 - given) / (vocabulary - Object.keys(frame).length);
		const row = Array.from({ length: vocabulary }, (_, token) =>
			Math.log(frame[token] ?? rest),
		);
		const rows = search.contexts.flatMap(() => row);
		return search.accept(Float32Array.from(rows), first + i) ?? [];
	});
}

const frameOf = (token: number, probability = 0.9): FrameProbabilities => ({
	[token]: probability,
});

t.test("a phrase among other sounds, with its frames", (t) => {
	const frames = [
		frameOf(4),
		pause,
		frameOf(1),
		frameOf(2),
		pause,
		frameOf(3),
		pause,
	];
	const [found, ...others] = find(searchFor(keyword([1, 2, 3])), frames);
	t.same(others, []);
	t.match(found, { keyword: 0, firstFrame: 2, lastFrame: 5 });
	t.ok(Math.abs((found?.probability ?? 0) - 0.9) < 1e-6);
	t.end();
});

t.test("not without its last sound, nor with another one inside", (t) => {
	const search = () => searchFor(keyword([1, 2, 3]));
	t.same(find(search(), [frameOf(1), frameOf(2), pause, pause, pause]), []);
	t.same(
		find(search(), [frameOf(1), frameOf(4), frameOf(2), frameOf(3), pause]),
		[],
	);
	t.same(find(search(), [frameOf(2), frameOf(3), pause]), []);
	t.end();
});

t.test("sounds that are doubtful count less: the threshold decides", (t) => {
	const frames = [frameOf(1), { 2: 0.2, 4: 0.7 }, frameOf(3), pause, pause];
	const found = (threshold: number) =>
		find(searchFor(keyword([1, 2, 3], threshold)), frames).length;
	t.equal(found(0.6), 1);
	t.equal(found(0.7), 0);
	t.end();
});

t.test("a phrase that begins anew inside itself", (t) => {
	const frames = [1, 2, 1, 2, 1, 3].map((it) => frameOf(it));
	const found = find(searchFor(keyword([1, 2, 1, 3])), [...frames, pause]);
	t.match(found, [{ firstFrame: 2, lastFrame: 5 }]);
	t.end();
});

t.test("one of several phrases, and one inside another", (t) => {
	const search = searchFor(keyword([1, 2, 3, 4]), keyword([2, 3]));
	const frames = [frameOf(1), frameOf(2), frameOf(3), frameOf(4), pause];
	t.match(find(search, frames), [{ keyword: 0 }]);
	t.match(find(search, [frameOf(2), frameOf(3), pause], 10), [
		{ keyword: 1, firstFrame: 10 },
	]);
	t.match(
		find(search, [frameOf(1), frameOf(2), frameOf(3), pause], 20),
		[{ keyword: 1 }],
		"the end of what another phrase begins with",
	);
	t.end();
});

t.test("a phrase inside one that is too doubtful", (t) => {
	const search = searchFor(keyword([4, 1, 2, 3], 0.8), keyword([2, 3], 0.5));
	const doubtful = [frameOf(4, 0.4), frameOf(1), frameOf(2), frameOf(3), pause];
	t.match(find(search, doubtful), [
		{ keyword: 1, firstFrame: 2, lastFrame: 3 },
	]);
	const clear = [4, 1, 2, 3].map((it) => frameOf(it));
	t.match(find(search, [...clear, pause], 10), [
		{ keyword: 0, firstFrame: 10, lastFrame: 13 },
	]);
	t.end();
});

t.test("phrases that sound the same", (t) => {
	const strict = keyword([1, 2, 3], 0.95);
	const easy = keyword([1, 2, 3], 0.4);
	const frames = [frameOf(1), frameOf(2), frameOf(3), pause];
	t.match(find(searchFor(strict, easy), frames), [{ keyword: 1 }]);
	t.match(find(searchFor(easy, strict), frames), [{ keyword: 0 }]);
	t.match(
		find(searchFor(easy, easy), frames),
		[{ keyword: 0 }],
		"the first one",
	);
	t.end();
});

t.test("a final in another tone counts in part", (t) => {
	const tones = [2, 5];
	const withTones = {
		threshold: 0.3,
		tokens: [
			{ token: 1, variants: [] },
			{ token: 2, variants: tones },
			{ token: 3, variants: [] },
		],
	};
	const frames = [frameOf(1), frameOf(5), frameOf(3), pause];
	t.same(find(searchFor(keyword([1, 2, 3], 0.65)), frames), []);
	const [found] = find(searchFor(withTones), frames);
	const tone = 0.15 * 0.9;
	t.ok(Math.abs((found?.probability ?? 0) - (1.8 + tone) / 3) < 0.01);
	t.end();
});

t.test("found once, and again when it is said again", (t) => {
	const search = searchFor(keyword([1, 2, 3]));
	const once = [frameOf(1), frameOf(2), frameOf(3), pause, pause, pause];
	t.equal(find(search, [...once, ...once]).length, 2);
	search.reset();
	t.same(search.contexts, [[]]);
	t.end();
});
