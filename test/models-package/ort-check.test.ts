/** Graphs in ONNX Runtime's own format, made by hand, in which many places lead to the same weights. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { checkOrtGraph } from "../../runtime/models/package/ort-check.js";

interface Shape {
	/** Offsets to the one tensor. */
	readonly times?: number;
	/** Of its values, 32-bit floats. */
	readonly count?: number;
	/** All dimensions but the first are 1. */
	readonly rank?: number;
	/** Its values are texts: offsets to one of `length` characters. */
	readonly texts?: { readonly written: number; readonly length: number };
}

/** FlatBuffers: session, model, graph, and its weights. */
function graphOf({ times = 1, count = 4, rank = 1, texts }: Shape): Buffer {
	const valueBytes = texts ? 4 * texts.written + texts.length : 4 * count;
	const bytes = Buffer.alloc(1024 + 4 * times + 8 * rank + valueBytes);
	bytes.write("ORTM", 4, "latin1");
	let end = 16;
	const take = (size: number) => {
		const at = end;
		end = Math.ceil((at + size) / 8) * 8;
		return at;
	};
	const refer = (at: number, target: number) =>
		bytes.writeUInt32LE(target - at, at);
	/** @param offsets of its fields in the table. */
	const table = (offsets: readonly number[]) => {
		const fields = take(4 + 2 * offsets.length);
		bytes.writeUInt16LE(4 + 2 * offsets.length, fields);
		for (const [i, it] of offsets.entries())
			bytes.writeUInt16LE(it, fields + 4 + 2 * i);
		const at = take(16);
		bytes.writeInt32LE(at - fields, at);
		return at;
	};
	const vector = (length: number, bytesOfValue: number) => {
		const at = take(4 + length * bytesOfValue);
		bytes.writeUInt32LE(length, at);
		return at;
	};
	const session = table([0, 4]);
	const model = table([0, 0, 0, 0, 0, 0, 0, 4]);
	const graph = table([4]);
	const tensors = vector(times, 4); // offsets lead forwards
	const values = texts ? [0, 12] : [12];
	const tensor = table([0, 0, 4, 8, ...values]); // dims, type, raw or texts
	refer(0, session);
	refer(session + 4, model);
	refer(model + 4, graph);
	refer(graph + 4, tensors);
	for (let i = 0; i < times; i++) refer(tensors + 4 + 4 * i, tensor);
	const dims = vector(rank, 8);
	refer(tensor + 4, dims);
	for (let i = 0; i < rank; i++)
		bytes.writeBigInt64LE(i === 0 ? BigInt(count) : 1n, dims + 4 + 8 * i);
	bytes.writeInt32LE(texts ? 8 : 1, tensor + 8);
	if (texts) {
		const list = vector(texts.written, 4);
		refer(tensor + 12, list);
		const text = vector(texts.length, 1);
		for (let i = 0; i < texts.written; i++) refer(list + 4 + 4 * i, text);
	} else refer(tensor + 12, vector(4 * count, 1));
	return bytes.subarray(0, end);
}

const path = join(t.testdir({}), "small.ort");
const check = (shape: Shape) => {
	writeFileSync(path, graphOf(shape));
	return checkOrtGraph(path);
};

t.test("the same weights are read a few times at most", async (t) => {
	await check({ count: 10_000, times: 3 });
	await t.rejects(check({ count: 10_000, times: 100 }), {
		name: "PackageError",
		message: /the same values are used too often/,
	});
});

t.test("weights have 64 dimensions at most", async (t) => {
	await check({ rank: 64 });
	await t.rejects(check({ rank: 65 }), {
		name: "PackageError",
		message: /a list is too long/,
	});
});

t.test("texts are as many as their shape says", async (t) => {
	await check({ count: 2, texts: { written: 2, length: 10 } });
	await t.rejects(
		check({ count: 2 ** 26, texts: { written: 1, length: 10 } }),
		{
			name: "PackageError",
			message: /are 1 texts where their shape requires 67108864/,
		},
	);
});

t.test("one text is used a few times at most", async (t) => {
	const long = (written: number) =>
		check({ count: written, texts: { written, length: 100_000 } });
	await long(15);
	await t.rejects(long(40), {
		name: "PackageError",
		message: /the same texts are used too often/,
	});
});
