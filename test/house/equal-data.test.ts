/** `t.same` takes what is equal as data for the same without tcompare (scripts/bundles/tap.ts): it must be the same to tcompare too, and strictly. */
import t from "tap";
import { strict } from "tcompare";
import { areEqualData } from "../../scripts/bundles/equal-data.js";

const deep = (depth: number): unknown =>
	Array.from({ length: depth }).reduce((inner) => [inner], 1);

const equal: readonly (readonly [unknown, unknown])[] = [
	[1, 1],
	[Number.NaN, Number.NaN],
	[0, -0],
	[undefined, undefined],
	[null, null],
	["text", "text"],
	[Float32Array.of(1, Number.NaN, -0), Float32Array.of(1, Number.NaN, 0)],
	[BigInt64Array.of(2n ** 40n), BigInt64Array.of(2n ** 40n)],
	[new Float32Array(0), new Float32Array(0)],
	[Float32Array.of(0, 1, 2).subarray(1), Float32Array.of(1, 2)],
	[Buffer.from("text"), Buffer.from("text")],
	[
		[1, "a", [undefined, null]],
		[1, "a", [undefined, null]],
	],
	[
		{ a: 1, b: { c: [Uint8Array.of(3)] } },
		{ b: { c: [Uint8Array.of(3)] }, a: 1 },
	],
	[{}, {}],
	[deep(20), deep(20)],
];

const different: readonly (readonly [unknown, unknown])[] = [
	[1, 2],
	[1, "1"],
	[1, 1n],
	[0, false],
	[null, undefined],
	[null, {}],
	[Number.NaN, undefined],
	[Float32Array.of(1, 2), Float32Array.of(1, 3)],
	[Float32Array.of(1, 2), Float32Array.of(1, 2, 3)],
	[Float32Array.of(1, Number.NaN), Float32Array.of(1, 0)],
	[Float32Array.of(1), Float64Array.of(1)],
	[Uint8Array.of(1), Buffer.of(1)],
	[Float32Array.of(1), [1]],
	[[1, 2], [1]],
	[[1], ["1"]],
	[[], {}],
	[{ a: 1 }, { a: 2 }],
	[{ a: 1 }, { b: 1 }],
	[{ a: 1 }, { a: 1, b: 2 }],
	[{ a: undefined }, { b: undefined }],
	[{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 3 }] } }],
	[new Map([[1, 2]]), new Map([[1, 3]])],
	[new Date(1), new Date(2)],
	[new Error("one"), new Error("other")],
	[{ [Symbol.for("a")]: 1 }, { [Symbol.for("a")]: 2 }],
];

t.test("what is equal as data is the same to tcompare", async (t) => {
	for (const [i, [one, other]] of equal.entries()) {
		t.ok(areEqualData(one, other), `${i}`);
		t.ok(strict(one, other).match, `${i}`);
	}
});

t.test("what differs is not equal, nor to the tests", async (t) => {
	for (const [i, [one, other]] of different.entries()) {
		t.notOk(areEqualData(one, other), `${i}`);
		t.strictNotSame(one, other, `${i}`);
	}
});

t.test("what holds more than data is left to tcompare", async (t) => {
	const endless = () => {
		const all: unknown[] = [];
		all.push(all);
		return all;
	};
	class Point {
		readonly x = 1;
	}
	for (const make of [
		() => new Map([[1, 2]]),
		() => new Date(1),
		() => /a/g,
		() => new Point(),
		() => ({ inside: new Set([1]) }),
		() => new DataView(new ArrayBuffer(1)),
		endless,
	]) {
		t.notOk(areEqualData(make(), make()), `${make}`);
		t.strictSame(make(), make(), `${make}`);
	}
});
