/** A text that seems to end in an echo is decoded again in a wider context: which of the two texts stands, and what is left in memory. */
import t from "tap";
import {
	type Script,
	type Scripted,
	scriptedRequest,
	scriptedWhisper,
} from "./scripted-whisper.js";
import { textOf, together } from "./together.js";

const nineNine: Scripted[] = [
	[" nine", -0.2],
	[" nine", -0.2],
];
const nine = nineNine.slice(1);
const loop = Array.from({ length: 20 }, (): Scripted => [" ha", -0.2]);
/** Seconds: the first context, and the second. */
const scriptOf = (first: readonly Scripted[], second: readonly Scripted[]) =>
	({ 10: first, 20: second }) satisfies Script;
const decodedAgain = "repetition: decoded again with a wider context";

t.test(
	"words that were said twice stand if a second attempt fails",
	async (t) => {
		const cases = [
			["finds nothing", nineNine, [], "nine nine"],
			["loops", nineNine, loop, "nine nine"],
			["finds one of them: its text stands", nineNine, nine, "nine"],
			["finds nothing after a loop: no text", loop, [], ""],
			[
				"loops as the first did: its text is cut",
				loop,
				[...nine, ...loop],
				"nine ha",
			],
		] as const;
		for (const [name, first, second, wanted] of cases) {
			const script = scriptOf(first, second);
			const { recognizer, alive } = await scriptedWhisper(script);
			const alone = await recognizer.recognize(scriptedRequest);
			const batch = [scriptedRequest, { ...scriptedRequest, words: false }];
			const both = await together(recognizer, batch);
			t.equal(both.length, 2);
			for (const found of [alone, ...both]) {
				if (found === "cancelled") throw new Error("cancelled");
				t.equal(found.text.toLowerCase(), wanted, name);
				t.ok(found.guards.includes(decodedAgain), name);
			}
			t.equal(alive(), 0, `${name}: every tensor was given back`);
		}
	},
);

t.test("a segment alone has the text of one in a batch", async (t) => {
	const script = { ...scriptOf(nineNine, [[" ten", -0.2]]), 30: nine };
	const { recognizer } = await scriptedWhisper(script);
	const alone = await recognizer.recognize(scriptedRequest);
	const other = { ...scriptedRequest, words: false };
	const found = [
		alone,
		...(await together(recognizer, [scriptedRequest])),
		...(await together(recognizer, [scriptedRequest, other])),
	];
	t.same(found.map(textOf), Array(4).fill("ten"));
});

t.test("the first text is as it would be without the second", async (t) => {
	const { recognizer } = await scriptedWhisper(scriptOf(nineNine, []));
	const again = await recognizer.recognize(scriptedRequest);
	const open = { ...scriptedRequest, open: true, samples: longer() };
	const once = await recognizer.recognize(open);
	if (again === "cancelled" || once === "cancelled") throw new Error();
	t.same(once.guards, [], "an open segment is decoded once");
	t.equal(again.text, once.text);
	t.equal(again.confidence, once.confidence);
	t.same(
		again.words.map(({ confidence }) => confidence),
		once.words.map(({ confidence }) => confidence),
	);
});

/** Of an open segment that gets the same context. */
function longer(): Float32Array {
	const { samples } = scriptedRequest;
	const twice = new Float32Array(2 * samples.length);
	twice.set(samples);
	twice.set(samples, samples.length);
	return twice;
}

t.test("whatever fails or is cancelled leaves nothing", async (t) => {
	const script = scriptOf(nineNine, []);
	let runs = 0;
	const all: string[] = [];
	await scriptedWhisper(script, (graph, seconds) => {
		all.push(`${graph} ${seconds}`);
	}).then(({ recognizer }) => recognizer.recognize(scriptedRequest));
	t.same(
		all.filter((one) => one.startsWith("encoder")),
		["encoder 10", "encoder 20", "encoder 10"],
	);
	for (const [at, name] of all.entries()) {
		runs = 0;
		const failing = await scriptedWhisper(script, () => {
			if (runs++ === at) throw new Error("broken");
		});
		await t.rejects(failing.recognizer.recognize(scriptedRequest), {
			message: "broken",
		});
		t.equal(failing.alive(), 0, `broken at run ${at}, ${name}`);

		runs = 0;
		const cancelling = await scriptedWhisper(script, () => {
			runs++;
		});
		await cancelling.recognizer.recognize({
			...scriptedRequest,
			cancelled: () => runs > at,
		});
		t.equal(cancelling.alive(), 0, `cancelled at run ${at}, ${name}`);
	}
});

t.test(
	"a batch whose languages can't be identified leaves nothing",
	async (t) => {
		const { recognizer, alive } = await scriptedWhisper(scriptOf(nine, []));
		const unknown = { ...scriptedRequest, language: "ja-JP-en-US" } as const; // it has no Japanese
		const batch = [unknown, { ...unknown, words: false }];
		await t.rejects(together(recognizer, batch));
		await recognizer.close();
		t.equal(alive(), 0);
	},
);
