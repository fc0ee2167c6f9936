import t from "tap";
import {
	JsonBoundError,
	jsonOf,
	parsingJson,
} from "../../runtime/json/json-parser.js";
import { holds } from "../fuzz/holds.js";
import { readsAsJsonParse } from "./json-parser.property.js";

t.test("valid JSON", async (t) => {
	const outcomes = await holds(t, readsAsJsonParse(), 3000);
	t.ok((outcomes.get("read") ?? 0) > 500);
	t.ok((outcomes.get("refused") ?? 0) > 500);
});

t.test("JSON that is easily misread", async (t) => {
	for (const text of [
		...['{"__proto__":{"a":1}}', '{"a":1,"a":2}', '{"2":1,"1":2,"b":3}'],
		...['"\\u0000"', '"\ud800"', "-0", "1e999", " \t\r\n[ ] ", '{"":""}'],
		...[`"${"x".repeat(12)}"`, `"${"x".repeat(13)}"`, `"${"\\\\".repeat(9)}"`],
		...[`"${"x".repeat(40_000)}"`, `${" ".repeat(40_000)}1`, "1".repeat(1000)],
	]) {
		const read = jsonOf(text);
		t.equal(JSON.stringify(read), JSON.stringify(JSON.parse(text)), text);
	}
	const own = jsonOf('{"__proto__":{"a":1}}') as Record<string, unknown>;
	t.equal(own.a, undefined, "nothing is inherited from what was sent");
});

t.test("invalid JSON", async (t) => {
	for (const text of [
		...["", " ", "[", "]", "{", "[1,]", "[,1]", '{"a"}', '{"a":}', '{"a":1,}'],
		...['{"a" 1}', "{a:1}", '{"a":1 "b":2}', "[1 2]", "1 2", "[]]", "[}", "{]"],
		...["tru", "nulll", "NaN", "01", "1.", ".5", "+1", "-", "1e", "0x1"],
		...[
			'"',
			'"a',
			'"\\"',
			'"\\x"',
			'"\\u12"',
			'"\n"',
			"'a'",
			"\ufeff1",
			"\u00a01",
		],
	])
		t.throws(() => jsonOf(text), SyntaxError, text);
});

t.test("bounds that no honest client meets", async (t) => {
	const names = (count: number) =>
		Array.from({ length: count }, (_, it) => `"n${it}":1`).join();
	const cases: [text: string, refusal?: string][] = [
		["[".repeat(100) + "]".repeat(100)],
		["[".repeat(101), "is nested deeper than 100 levels"],
		['{"a":'.repeat(101), "is nested deeper than 100 levels"],
		[`{${names(1000)}}`],
		[`{${names(1001)}`, "has an object of more than 1000 names"],
		[`[${"1,".repeat(999_999)}1]`],
		[`[${"1,".repeat(1_000_000)}1`, "has a list of more than 1000000 items"],
		[
			`[${"[],".repeat(100_000)}`,
			"has more than 100000 lists and objects in it",
		],
		["1".repeat(1001), "has a number of more than 1000 digits"],
	];
	for (const [text, refusal] of cases)
		if (refusal === undefined) t.ok(jsonOf(text));
		else t.throws(() => jsonOf(text), new JsonBoundError(refusal));
});

t.test("long texts are parsed piece by piece", async (t) => {
	const piecesOf = (text: string) => [...parsingJson(text)].length;
	t.equal(piecesOf("[1]"), 0);
	for (const text of [
		`"${"x".repeat(1_000_000)}"`,
		`"${"\\\\".repeat(500_000)}"`,
		`${" ".repeat(1_000_000)}1`,
		`[${'"a",'.repeat(250_000)}"a"]`,
	])
		t.ok(piecesOf(text) >= 60, text.slice(0, 5));
});
