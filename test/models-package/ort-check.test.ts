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
}

/** FlatBuffers: session, model, graph, and its weights. */
function graphOf({ times = 1, count = 4, rank = 1 }: Shape): Buffer {
	const bytes = Buffer.alloc(1024 + 4 * times + 8 * rank + 4 * count);
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
	const tensor = table([0, 0, 4, 8, 12]); // dims, type, raw
	refer(0, session);
	refer(session + 4, model);
	refer(model + 4, graph);
	refer(graph + 4, tensors);
	for (let i = 0; i < times; i++) refer(tensors + 4 + 4 * i, tensor);
	const dims = vector(rank, 8);
	refer(tensor + 4, dims);
	for (let i = 0; i < rank; i++)
		bytes.writeBigInt64LE(i === 0 ? BigInt(count) : 1n, dims + 4 + 8 * i);
	bytes.writeInt32LE(1, tensor + 8);
	refer(tensor + 12, vector(4 * count, 1));
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
