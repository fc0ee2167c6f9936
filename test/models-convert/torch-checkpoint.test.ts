/** PyTorch's checkpoints: tensors are read, and no code in the file is run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { SourceError } from "../../runtime/models/convert/weights.js";
import { TorchCheckpoint } from "../../scripts/models/torch/checkpoint.js";

const text = (value: string) => {
	const bytes = Buffer.from(value);
	return Buffer.concat([Buffer.from([0x58, bytes.length, 0, 0, 0]), bytes]);
};
const op = (...bytes: (number | string)[]) =>
	Buffer.concat(
		bytes.map((it) =>
			typeof it === "number" ? Buffer.from([it]) : Buffer.from(it),
		),
	);
const mark = op("(");
const tuple = op("t");
const count = (value: number) => op("K", value);
const counts = (...values: number[]) =>
	Buffer.concat([mark, ...values.map(count), tuple]);
const global = (module: string, name: string) => op(`c${module}\n${name}\n`);

/** `_rebuild_tensor_v2(storage, offset, size, stride, requires_grad, OrderedDict())` */
function tensor(
	dims: number[],
	strides: number[],
	{ key = "0", type = "FloatStorage", offset = 0 } = {},
): Buffer {
	const storage = [text("storage"), global("torch", type), text(key)];
	return Buffer.concat([
		global("torch._utils", "_rebuild_tensor_v2"),
		mark,
		...[mark, ...storage, text("cpu"), count(6), tuple, op("Q")],
		count(offset),
		...[counts(...dims), counts(...strides), op(0x89)],
		...[global("collections", "OrderedDict"), op(")R")],
		tuple,
		op("R"),
	]);
}

function pickled(entries: Record<string, Buffer>): Buffer {
	const items = Object.entries(entries).flatMap(([name, it]) => [
		text(name),
		it,
	]);
	return Buffer.concat([op(0x80, 2, "}"), mark, ...items, op("u.")]);
}

const values = Float32Array.of(1, 2, 3, 4, 5, 6);

function folderOf(t: Test, pickle: Buffer): string {
	const folder = t.testdir();
	mkdirSync(join(folder, "data"));
	writeFileSync(join(folder, "data.pkl"), pickle);
	writeFileSync(join(folder, "data", "0"), Buffer.from(values.buffer));
	return folder;
}

t.test("tensors are read from their storages", async (t) => {
	const pickle = pickled({
		whole: tensor([2, 3], [3, 1]),
		"the end": tensor([2], [1], { offset: 4 }),
		steps: tensor([], [], { type: "LongStorage" }),
		long: tensor([4, 4], [4, 1]),
	});
	const checkpoint = TorchCheckpoint.open(folderOf(t, pickle));
	t.same(checkpoint.dims("whole"), [2, 3]);
	t.same(checkpoint.read("whole").values, values);
	t.same(checkpoint.read("the end").values, Float32Array.of(5, 6));
	t.ok(checkpoint.has("whole"));
	t.notOk(checkpoint.has("steps"), "counters are no weights");
	t.throws(() => checkpoint.read("other"), SourceError);
	t.throws(() => checkpoint.read("long"), /ends too early/);
});

t.test(
	"a file that is not a checkpoint is refused, and nothing is run",
	async (t) => {
		const call = (module: string, name: string) =>
			pickled({ x: Buffer.concat([global(module, name), op(")R")]) });
		for (const [why, pickle] of Object.entries({
			"a command": call("os", "system"),
			"an evaluation": call("builtins", "eval"),
			"a path": pickled({ x: tensor([1], [1], { key: "../../etc/passwd" }) }),
			gaps: pickled({ x: tensor([2, 2], [1, 2]) }),
			"a negative offset": pickled({
				x: Buffer.from(
					tensor([1], [1])
						.toString("latin1")
						.replace("K\0(K", "J\xff\xff\xff\xff(K"),
					"latin1",
				),
			}),
			"another protocol": op(0x80, 4, "}."),
			"an object": op(0x80, 2, "cos\nsystem\n)\x81."),
			"no dictionary": op(0x80, 2, "]."),
			nothing: Buffer.alloc(0),
			noise: Buffer.from("hello, this is text"),
			"a text longer than the file": op(0x80, 2, "X", 255, 255, 255, 255, "a"),
			"an endless stack": Buffer.concat([op(0x80, 2), Buffer.alloc(2e6, "}")]),
		}))
			t.throws(
				() => TorchCheckpoint.open(folderOf(t, pickle)),
				SourceError,
				why,
			);
	},
);

t.test("a checkpoint truncated anywhere is refused", async (t) => {
	const pickle = pickled({ a: tensor([2, 3], [3, 1]), b: tensor([6], [1]) });
	const folder = folderOf(t, pickle);
	for (let bytes = 0; bytes < pickle.length; bytes++) {
		writeFileSync(join(folder, "data.pkl"), pickle.subarray(0, bytes));
		try {
			TorchCheckpoint.open(folder);
			t.fail(`${bytes} bytes were enough`);
		} catch (error) {
			if (!(error instanceof SourceError)) throw error;
		}
	}
	t.pass(`${pickle.length} lengths`);
});
