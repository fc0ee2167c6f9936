/** Constants of a foreign graph: everywhere they may occur, with every possible fault. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { checkGraph } from "../../runtime/models/package/graph-check.js";
import {
	field,
	float32,
	graphOf,
	int,
	modelOf,
	tensor,
	varint,
} from "./onnx-bytes.js";

const indices = tensor({
	name: "",
	dataType: 7,
	rawData: Buffer.from(new BigInt64Array([0n, 3n]).buffer),
});
const sparse = (values: Buffer, places = indices, dims = [4]) =>
	Buffer.concat([
		field(1, values),
		field(2, places),
		...dims.map((it) => int(3, it)),
	]);
const inGraph = (graph: Buffer) => modelOf(field(7, graph));
const inAttribute = (attribute: Buffer) =>
	inGraph(graphOf("Constant", attribute));
const nested = (graph: Buffer, depth: number): Buffer =>
	depth === 0 ? graph : nested(graphOf("If", field(6, graph)), depth - 1);

/** Every place in onnx.proto where a tensor may occur. */
const places: Readonly<Record<string, (tensor: Buffer) => Buffer>> = {
	"initializer of the graph": (it) => inGraph(field(5, it)),
	"values of a sparse initializer": (it) => inGraph(field(15, sparse(it))),
	"attribute t": (it) => inAttribute(field(5, it)),
	"attribute tensors": (it) =>
		inAttribute(Buffer.concat([field(10, tensor()), field(10, it)])),
	"attribute sparse_tensor": (it) => inAttribute(field(22, sparse(it))),
	"attribute sparse_tensors": (it) =>
		inAttribute(
			Buffer.concat([field(23, sparse(tensor())), field(23, sparse(it))]),
		),
	"initializer in attribute g": (it) => inAttribute(field(6, field(5, it))),
	"initializer in attribute graphs": (it) =>
		inAttribute(field(11, field(5, it))),
	"attribute in attribute g": (it) =>
		inAttribute(field(6, graphOf("Constant", field(5, it)))),
	"attribute in sixteen graphs": (it) =>
		inGraph(nested(graphOf("Constant", field(5, it)), 16)),
	"attribute of a function's node": (it) =>
		modelOf(
			field(25, field(1, "F"), field(7, field(5, field(5, it)), field(4, "X"))),
		),
	"default of a function's attribute": (it) =>
		modelOf(field(25, field(1, "F"), field(11, field(5, it)))),
	"initialization of training": (it) =>
		modelOf(field(20, field(1, field(5, it)))),
	"algorithm of training": (it) =>
		modelOf(field(20, field(2, graphOf("Constant", field(5, it))))),
};

const elsewhere = (location: string) =>
	tensor({
		rawData: undefined,
		dataLocation: 1,
		externalData: [{ key: "location", value: location }],
	});
const nan = Buffer.from(new Uint32Array([0x3f800000, 0xffc00001]).buffer);
const more = (...fields: Buffer[]) => Buffer.concat([tensor(), ...fields]);
const without = (...fields: Buffer[]) =>
	Buffer.concat([tensor({ rawData: undefined }), ...fields]);
/** A field of four bytes that is not packed. */
const fixed32 = (number: number, bytes: Buffer) =>
	Buffer.concat([varint(number * 8 + 5), bytes]);

const inAnotherFile = /keeps its weights in another file/;
const noNumbers = /its weights "w" contain NaN/;
/** Everything that may be wrong with a tensor. */
const faults: readonly (readonly [
	name: string,
	tensor: Buffer,
	message: RegExp,
])[] = [
	["data outside the package", elsewhere("../../../secret"), inAnotherFile],
	["data at a path of the disk", elsewhere("/etc/passwd"), inAnotherFile],
	["data beside the graph", elsewhere("weights.bin"), inAnotherFile],
	["data at an address", elsewhere("*/_ORT_MEM_ADDR_/*"), inAnotherFile],
	["a location of 2^32 + 1", more(int(14, 2 ** 32 + 1)), inAnotherFile],
	[
		"an entry of a location",
		more(field(13, field(1, "offset"))),
		inAnotherFile,
	],
	["data in pieces", more(field(3, int(1, 0))), /are split into segments/],
	["no number", tensor({ rawData: nan }), noNumbers],
	["no number, packed", without(field(4, nan)), noNumbers],
	[
		"no number, one by one",
		without(fixed32(4, nan.subarray(0, 4)), fixed32(4, nan.subarray(4))),
		noNumbers,
	],
	[
		"no half",
		without(int(2, 10), field(5, varint(0x3c00), varint(0x7e00))),
		noNumbers,
	],
	[
		"no half, one by one",
		without(int(2, 10), int(5, 1), int(5, 0x7e00)),
		noNumbers,
	],
	[
		"no bfloat16",
		without(int(2, 16), field(5, varint(1), varint(0xffc1))),
		noNumbers,
	],
	[
		"no double",
		without(
			int(2, 11),
			field(10, Buffer.from(new Float64Array([1, Number.NaN]).buffer)),
		),
		noNumbers,
	],
	[
		"a type of 2^32 + 1",
		Buffer.concat([tensor({ rawData: nan }), int(2, 2 ** 32 + 1)]),
		noNumbers,
	],
	[
		"fewer bytes than its shape",
		tensor({ dims: [3] }),
		/are 8 bytes where their shape requires 12/,
	],
	[
		"more bytes than its shape",
		tensor({ dims: [] }),
		/are 8 bytes where their shape requires 4/,
	],
	[
		"a shape of terabytes",
		tensor({ dims: [1e6, 1e6] }),
		/requires 4000000000000/,
	],
	["a shape beyond numbers", more(int(1, 2n ** 62n)), /an impossible shape/],
	["a negative dimension", more(int(1, -1)), /an impossible shape/],
	["65 dimensions", more(field(1, Buffer.alloc(64, 1))), /an impossible shape/],
	["no values", without(), /are 0 values where their shape requires 2/],
	[
		"fewer values than its shape",
		without(field(4, float32(1))),
		/are 1 values/,
	],
	["values twice", more(field(9, float32(1, 2))), /occur twice/],
	["values in two fields", more(field(4, float32(1, 2))), /occur twice/],
	[
		"values of another type",
		without(field(7, varint(1), varint(2))),
		/not in the field of their type/,
	],
	["a type that is not known", tensor({ dataType: 99 }), /are of type 99/],
	["no type", tensor({ dataType: 0 }), /are of type 0/],
	[
		"a value that is cut off",
		without(int(2, 7), field(7, Buffer.from([1, 0x80]))),
		/not an ONNX file/,
	],
];
/** Valid constants in all encodings. */
const sound: Readonly<Record<string, Buffer>> = {
	raw: tensor(),
	packed: without(field(4, float32(1, 2))),
	"one by one": without(fixed32(4, float32(1)), fixed32(4, float32(2))),
	"with infinities": tensor({ rawData: float32(Infinity, -Infinity) }),
	halves: without(int(2, 10), field(5, varint(0x3c00), varint(0xfc00))),
	integers: without(int(2, 7), field(7, varint(-1), varint(2n ** 62n))),
	"of four bits": tensor({ dataType: 22, dims: [2, 1], rawData: Buffer.of(1) }),
};

function written(t: Test, bytes: Buffer): string {
	const path = join(t.testdir({}), "model.onnx");
	writeFileSync(path, bytes);
	return path;
}

for (const [place, modelWith] of Object.entries(places)) {
	t.test(`an invalid constant is found: ${place}`, async (t) => {
		for (const [fault, bytes, message] of faults)
			await t.rejects(
				checkGraph(written(t, modelWith(bytes))),
				{ name: "PackageError", message },
				fault,
			);
	});
	t.test(`a valid constant passes: ${place}`, async (t) => {
		for (const [how, bytes] of Object.entries(sound))
			await t.resolves(checkGraph(written(t, modelWith(bytes))), how);
	});
}

t.test("strings are counted, and an empty tensor has none", async (t) => {
	const texts = (count: number) =>
		inAttribute(
			field(5, int(1, 2), int(2, 8), ...Array(count).fill(field(6, "a"))),
		);
	await t.resolves(checkGraph(written(t, texts(2))));
	await t.rejects(checkGraph(written(t, texts(1))), { message: /1 values/ });
	const none = field(5, int(1, 0), int(2, 1));
	await t.resolves(checkGraph(written(t, inAttribute(none))));
});

t.test("of two tensors, both are checked", async (t) => {
	// protobuf merges them: the first's type, the second's values
	const apart = Buffer.concat([
		field(5, int(1, 2), int(2, 1)),
		field(5, field(9, nan)),
	]);
	await t.rejects(checkGraph(written(t, inAttribute(apart))), {
		name: "PackageError",
	});
	const two = Buffer.concat([field(5, tensor()), field(5, tensor())]);
	await t.rejects(checkGraph(written(t, inAttribute(two))), {
		message: /an attribute has two values/,
	});
});

t.test("a sparse tensor fits its indices and its shape", async (t) => {
	const check = (one: Buffer) =>
		checkGraph(written(t, inGraph(field(15, one))));
	const values = tensor();
	await t.resolves(check(sparse(values, indices, [2, 2])));
	const fit = /do not fit their indices and shape/;
	for (const [name, one, message] of [
		["a shape of fewer values", sparse(values, indices, [1]), fit],
		["floats as indices", sparse(values, values), fit],
		[
			"an index more than values",
			sparse(
				values,
				tensor({ dataType: 7, dims: [3], rawData: Buffer.alloc(24) }),
			),
			fit,
		],
		[
			"gigabytes when it is written out",
			sparse(values, indices, [100_000, 20_000]),
			/would be larger than 2 GB/,
		],
		["indices elsewhere", sparse(values, elsewhere("x")), inAnotherFile],
		["no indices", field(1, values), /not an ONNX file/],
		[
			"values twice",
			Buffer.concat([field(1, values), sparse(values)]),
			/occur twice/,
		],
	] as const)
		await t.rejects(check(one), { name: "PackageError", message }, name);
	const half = field(15, sparse(values, indices, [300_000_000]));
	await t.resolves(checkGraph(written(t, inGraph(half))));
	await t.rejects(
		checkGraph(written(t, inGraph(Buffer.concat([half, half])))),
		{ message: /would be larger than 2 GB/ },
		"all of them together",
	);
});

t.test("a field's number is truncated as protobuf does", async (t) => {
	// 2^32 more than the tag of data_location
	const disguised = more(varint(2 ** 32 + 14 * 8), varint(1));
	await t.rejects(checkGraph(written(t, inGraph(field(5, disguised)))), {
		message: /not an ONNX file/,
	});
});

t.test(
	"the expansion of functions that call each other is limited",
	async (t) => {
		const body = (name: string, calls: string, times: number) =>
			field(
				25,
				field(1, name),
				field(10, "own"),
				...Array(times).fill(field(7, field(4, calls), field(7, "own"))),
			);
		const doubling = (count: number) => [
			field(25, field(1, "f0"), field(10, "own"), field(7, field(4, "Add"))),
			...Array.from({ length: count }, (_, i) =>
				body(`f${i + 1}`, `f${i}`, 10),
			),
		];
		await t.resolves(checkGraph(written(t, modelOf(...doubling(6)))));
		await t.rejects(checkGraph(written(t, modelOf(...doubling(20)))), {
			message: /expand to more than 10000000 operators/,
		});
		const ring = [body("f", "g", 1), body("g", "f", 1)];
		await t.rejects(checkGraph(written(t, modelOf(...ring))), {
			message: /call each other endlessly/,
		});
	},
);

t.test("a graph that was compiled for an accelerator is refused", async (t) => {
	const context = graphOf(
		"EPContext",
		Buffer.concat([field(1, "ep_cache_context"), field(4, "../../x.bin")]),
	);
	await t.rejects(checkGraph(written(t, inGraph(context))), {
		message: /was compiled for one accelerator/,
	});
});
