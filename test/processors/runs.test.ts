/** Runs through our library: values of every size come and go unchanged, and nothing is left behind, also after failures. Rows of scores are searched in place. */
import { setImmediate as nextTurn } from "node:timers/promises";
import t from "tap";
import { liveValues } from "../../drivers/onnx/capi/library.js";
import { openPackaged } from "../../drivers/onnx/packaged.js";
import { openOnnx } from "../../drivers/onnx/session.js";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import type { Tensor } from "../../runtime/models/inference-port.js";
import {
	likeliest,
	likeliestOne,
	logSumOf,
} from "../../runtime/search/log-probability.js";
import { randomOf } from "../published/recorded-random.js";
import { writeGraph } from "../published/tiny-graphs.js";

const port = openOnnx();
const folder = t.testdir();
const path = `${folder}/echo.onnx`;
writeGraph(path, echo(), {});
const session = await port.open(path, { threads: 1 });
t.teardown(() => session.close());

/** Returns what it gets, and twice that. */
function echo() {
	const builder = new GraphBuilder("echo");
	const x = builder.input("x", "float32", ["N", "M"]);
	builder.op("Identity", [x], {}, "same");
	builder.op("Add", [x, x], {}, "twice");
	builder.output("same", "float32", ["N", "M"]);
	builder.output("twice", "float32", ["N", "M"]);
	return builder.build();
}

function rowsOf(rows: number, width: number, seed = 1): Float32Array {
	const random = randomOf(seed);
	return Float32Array.from(
		{ length: rows * width },
		() => (random() - 0.5) * 20,
	);
}

const inputOf = (values: Float32Array, width: number) =>
	port.tensor("float32", values, [width ? values.length / width : 1, width]);

/** Below and above the sizes at which inputs and outputs are passed in another way. */
const sizes = [0, 1, 3, 1023, 1024, 1025, 8191, 8192, 8193, 100_003];

for (const memory of [undefined, "planned", "pooled"] as const)
	t.test(
		`values are the same whatever their number, memory ${memory}`,
		async (t) => {
			const session = await port.open(path, {
				threads: 1,
				...(memory && { memory }),
			});
			t.teardown(() => session.close());
			for (const size of sizes) {
				const values = rowsOf(1, size);
				const { same, twice } = await session.run(
					{ x: inputOf(values, size) },
					["same", "twice"],
				);
				t.strictSame(same?.data, values, `${size}`);
				t.strictSame(
					twice?.data,
					values.map((it) => 2 * it),
					`${size}`,
				);
				const copy = new Float32Array(size);
				same?.copyTo(copy);
				t.strictSame(copy, values);
				t.throws(() => same?.copyTo(new Float32Array(size + 1)));
				for (const it of [same, twice]) it?.dispose();
				t.throws(() => same?.data, /disposed/);
				await t.rejects(
					session.run({ x: same as Tensor }, ["twice"]),
					/disposed/,
				);
			}
		},
	);

t.test("a way to use memory that does not exist is refused", async (t) => {
	const memory = "shared" as "pooled";
	await t.rejects(port.open(path, { threads: 1, memory }), {
		message: /no such way to use memory: shared/,
	});
});

t.test("an input may be a part of a larger array", async (t) => {
	const all = rowsOf(1, 50_000);
	for (const [from, to] of [
		[1, 4],
		[7, 30_001],
		[49_999, 50_000],
	] as const) {
		const part = all.subarray(from, to);
		const { twice } = await session.run({ x: inputOf(part, part.length) }, [
			"twice",
		]);
		t.strictSame(
			twice?.data,
			part.map((it) => 2 * it),
		);
		twice?.dispose();
	}
});

t.test("an output is written into memory of the caller", async (t) => {
	const packaged = await openPackaged(path, { threads: 1 }, "cpu");
	t.teardown(() => packaged.close());
	for (const one of [session, packaged])
		for (const size of sizes.slice(1)) {
			const values = rowsOf(1, size);
			const memory = new Float32Array(size + 2).fill(7);
			const into = inputOf(memory.subarray(1, size + 1), size);
			const feeds = { x: inputOf(values, size) };
			const found = await one.run(feeds, ["same", "twice"], { twice: into });
			t.equal(found.twice, into);
			t.strictSame(
				into.data,
				values.map((it) => 2 * it),
			);
			t.strictSame([memory[0], memory.at(-1)], [7, 7], "nothing beside it");
			t.strictSame(found.same?.data, values);
			found.same?.dispose();
			const other = inputOf(new Float32Array(size + 1), size + 1);
			await t.rejects(one.run(feeds, ["twice"], { twice: other }));
		}
});

t.test("an array whose memory is gone is refused", async (t) => {
	for (const size of [10, 50_000]) {
		const values = rowsOf(1, size);
		const x = inputOf(values, size);
		(await session.run({ x }, ["twice"])).twice?.dispose();
		structuredClone(values.buffer, {
			transfer: [values.buffer as ArrayBuffer],
		});
		await t.rejects(session.run({ x }, ["twice"]), RangeError);
	}
});

t.test("nothing is left behind", async (t) => {
	await nextTurn();
	const before = liveValues();
	for (const size of sizes.slice(1)) {
		const x = inputOf(rowsOf(1, size), size);
		const found = await session.run({ x }, ["same", "twice"]);
		const again = await session.run({ x: found.same as Tensor }, ["twice"]);
		for (const it of [...Object.values(found), ...Object.values(again)])
			it.dispose();
		await nextTurn();
		t.equal(liveValues(), before, `a run with ${size} values`);
		const deep = port.tensor("float32", new Float32Array(1), Array(9).fill(1));
		await t.rejects(session.run({ x: deep }, ["same"]), /9 dimensions/);
		const whole = port.tensor("int32", new Int32Array(size), [1, size]);
		await t.rejects(session.run({ x: whole }, ["same"]), /Unexpected input/);
		const into = inputOf(new Float32Array(size + 1), size + 1);
		await t.rejects(session.run({ x }, ["same", "twice"], { twice: into }));
		await t.rejects(session.run({ x }, ["same", "nothing"]), /no output/);
		t.equal(liveValues(), before, `failed runs with ${size} values`);
	}
});

t.test("rows are searched where they are, as in a copy", async (t) => {
	for (const [rows, width] of [
		[9, 1009],
		[3, 40_003],
		[9000, 1],
		[700, 13],
		[2, 16_384],
	] as const) {
		const values = rowsOf(rows, width, width);
		// equal ones: the first counts; a row whose highest is the last
		values[0] = 30;
		values[width - 1] = 30;
		values[2 * width - 1] = 40;
		if (width > 20) values.fill(5, width + 3, width + 15);
		const { same } = await session.run({ x: inputOf(values, width) }, ["same"]);
		if (!same?.likeliestOfRows) throw new Error("too small");
		const found = same.likeliestOfRows({ first: 0, count: rows });
		t.equal(found.areFinite, true);
		for (let row = 0; row < rows; row++) {
			const own = values.subarray(row * width, (row + 1) * width);
			const token = likeliestOne(own) ?? -1;
			if (found.tokens[row] !== token || found.scores[row] !== own[token])
				t.fail(`row ${row} of ${width}: ${found.tokens[row]}, not ${token}`);
			const off = (found.logSums[row] as number) - logSumOf(own);
			if (!(Math.abs(off) < 1e-5)) t.fail(`row ${row} of ${width}: ${off}`);
		}
		const part = same.likeliestOfRows({
			first: 1,
			count: rows - 1,
			unsummed: found.tokens[1] as number,
		});
		t.strictSame(part.tokens, found.tokens.slice(1));
		t.equal(part.logSums[0], 0, "no sum of such a row");
		const most = Math.min(width, 7);
		const few = same.likeliestOfRows({ first: 0, count: rows, most });
		t.strictSame(few.logSums, found.logSums);
		for (let row = 0; row < rows; row++) {
			const own = values.subarray(row * width, (row + 1) * width);
			const wanted = likeliest(own, most);
			const tokens = few.tokens.slice(row * most, (row + 1) * most);
			if (`${tokens}` !== `${wanted}`)
				t.fail(`row ${row} of ${width}: ${tokens}, not ${wanted}`);
			for (const [i, token] of wanted.entries())
				if (few.scores[row * most + i] !== own[token]) t.fail(`row ${row}`);
		}
		for (const most of [0, width + 1, 33])
			t.throws(() => same.likeliestOfRows?.({ first: 0, count: 1, most }));
		const none = same.likeliestOfRows({ first: 0, count: rows, summed: false });
		t.ok(none.logSums.every((it) => it === 0));
		for (const [first, count] of [
			[0, rows + 1],
			[rows, 1],
			[-1, 2],
			[2 ** 31, 2 ** 31],
		] as const)
			t.throws(() => same.likeliestOfRows?.({ first, count }), `${first}`);
		same.dispose();
		t.throws(() => same.likeliestOfRows?.({ first: 0, count: 1 }), /disposed/);
	}
});

t.test("scores that are not finite are told", async (t) => {
	const width = 20_000;
	for (const [at, value, areFinite] of [
		[0, Number.NaN, false],
		[width - 1, Number.POSITIVE_INFINITY, false],
		[width + 5, Number.NaN, true],
		[2 * width - 1, Number.NaN, false],
	] as const) {
		const values = rowsOf(2, width);
		values[at] = value;
		const { same } = await session.run({ x: inputOf(values, width) }, ["same"]);
		const count = at < width ? 1 : 2;
		const found = same?.likeliestOfRows?.({ first: 0, count });
		t.equal(found?.areFinite, areFinite, `${at}`);
		if (Number.isNaN(value)) t.not(found?.tokens[count - 1], at % width);
		same?.dispose();
	}
	const nothing = new Float32Array(10_000).fill(Number.NEGATIVE_INFINITY);
	const { same } = await session.run({ x: inputOf(nothing, 10_000) }, ["same"]);
	const found = same?.likeliestOfRows?.({ first: 0, count: 1 });
	t.match(found, { tokens: Int32Array.of(0), areFinite: false });
	same?.dispose();
});
