import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import t from "tap";
import {
	JsonBoundError,
	jsonOf,
	parsingJson,
} from "../../runtime/json/json-parser.js";
import { holds } from "../fuzz/holds.js";
import { readsAsJsonParse } from "./json-parser.property.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

t.test("valid JSON", async (t) => {
	const outcomes = await holds(t, readsAsJsonParse(), 3000);
	t.ok((outcomes.get("read") ?? 0) > 500);
	t.ok((outcomes.get("refused") ?? 0) > 500);
});

t.test("JSON that is easily misread", async (t) => {
	for (const text of [
		...['{"__proto__":{"a":1}}', '{"a":1,"a":2}', '{"2":1,"1":2,"b":3}'],
		...['{"9":1,"01":2,"-1":3,"4294967295":4,"4294967294":5,"9":6,"1023":7}'],
		...['{"1024":1,"b":2,"40":3,"1e3":4,"1.5":5,"4294967296":6,"0":7}'],
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

/** A list of one object over and over. */
const repeated = (object: string, count: number) =>
	`[${Array<string>(count).fill(object).join()}]`;
const countIn = (units: number, object: string) =>
	Math.floor(units / (object.length + 1));
const objectOf = (names: readonly (number | string)[]) =>
	`{${names.map((name) => `"${name}":0`).join()}}`;
const spaced = (count: number, distance: number, from = 0) =>
	Array.from({ length: count }, (_, it) => from + it * distance);

/** Their values take far more memory than their text. */
const farApart = [
	objectOf([1023]),
	objectOf([1023, 2575]),
	objectOf([1023, "a", 1023, "01"]),
	objectOf([1024, ...spaced(90, 1), 2040, 3900]), // first few and far apart, then enough for a long store
	objectOf([...spaced(340, 1), 1500, 3800, 6700]),
	objectOf(spaced(4, -1, 1000)),
];

t.test("names that are numbers and far apart", async (t) => {
	const refusal = new JsonBoundError(
		"has too many objects with numbers for names: begin the names with a letter, or send lists",
	);
	for (const object of farApart) {
		const text = repeated(object, countIn(256 * 1024, object));
		t.throws(() => jsonOf(text), refusal, object.slice(0, 40));
		t.throws(() => [...parsingJson(text)], refusal, "in pieces");
	}
});

t.test("names that are numbers, as honest clients send them", async (t) => {
	const speakers = objectOf(spaced(1000, 10, 1));
	for (const text of [
		speakers,
		objectOf(spaced(1000, 17)),
		objectOf(spaced(1000, -1, 9999)),
		objectOf(spaced(1000, 7919, 1_700_000_000)),
		`{"speakers":${speakers},"words":[${spaced(100_000, 1).map((it) => `"${it}"`)}]}`,
		repeated('{"1":"Anna Schmidt"}', 3000),
		repeated(objectOf(spaced(10, 1)), 5900),
		repeated(objectOf([1023]), 30),
		repeated(objectOf(Array(100).fill(1023)), 30), // the same name takes its room once
		// no array indices
		...["01023", "-1023", "1023.0", "1e3", " 1023", "4294967295"].map((name) =>
			repeated(objectOf([name]), 5900),
		),
		// a table, which takes no more than other names do
		repeated(objectOf([1024]), 5900),
		repeated(objectOf([4_294_967_294]), 5900),
	])
		t.ok(
			JSON.stringify(jsonOf(text)) === JSON.stringify(JSON.parse(text)),
			text.slice(0, 40),
		);
});

/** Of the process itself, which may grow meanwhile. */
const ownBytes = 1024 * 1024;

/** Bytes that a value takes, all else being collected. */
function bytesOf(text: string): number {
	collectGarbage();
	collectGarbage(); // what the first one only marked as unused
	const before = getHeapStatistics().used_heap_size;
	const value = jsonOf(text);
	collectGarbage();
	const after = getHeapStatistics().used_heap_size;
	return value === undefined ? 0 : after - before;
}

t.test(
	"numbers for names take little memory where they are accepted",
	async (t) => {
		for (const object of farApart) {
			const text = accepted(object);
			const bytesMax = 16 * (50_000 + text.length / 4) + ownBytes;
			const bytes = bytesOf(text);
			t.ok(
				bytes <= bytesMax,
				`${bytes} of ${bytesMax}: ${object.slice(0, 40)}`,
			);
		}
	},
);

/** As many of them as the parser takes, of what fits into 64 KiB. */
function accepted(object: string): string {
	let count = countIn(64 * 1024, object);
	for (;;) {
		const text = repeated(object, count);
		try {
			jsonOf(text);
			return text;
		} catch (thrown) {
			if (!(thrown instanceof JsonBoundError)) throw thrown;
			count -= Math.ceil(count / 10);
		}
	}
}
