/** Messages of `models convert` for invalid sources, and that it leaves nothing behind. */
import fs, {
	appendFileSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	truncateSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { mock } from "node:test";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import {
	type ConvertOptions,
	convertModel,
} from "../../runtime/models/convert/convert.js";
import { CTranslate2Source } from "../../runtime/models/convert/ctranslate2-source.js";
import { SafetensorsSource } from "../../runtime/models/convert/safetensors-source.js";
import { openSourceDirectory } from "../../runtime/models/convert/source-directory.js";
import { SourceError } from "../../runtime/models/convert/weights.js";
import { loadPackage } from "../../runtime/models/package/model-package.js";
import { verifyPackage } from "../../runtime/models/package/verify.js";
import {
	randomWeights,
	tiny,
	writeCTranslate2,
	writeSafetensors,
} from "./tiny-whisper.js";

/** That of the graphs' test: the weights are made once. */
const seed = 20_261_121;
t.comment(`seed ${seed}`);
const root = mkdtempSync(join(tmpdir(), "earshot-sources-"));
t.teardown(() => rmSync(root, { recursive: true }));
const weights = randomWeights(seed);
writeCTranslate2(join(root, "ct2"), weights, "float16");
writeSafetensors(join(root, "hf"), weights, "F16");
let made = 0;

/** A damaged copy of a valid source. */
function spoilt(kind: "ct2" | "hf", spoil: (folder: string) => void): string {
	const folder = join(root, `spoilt-${made++}`);
	cpSync(join(root, kind), folder, { recursive: true });
	spoil(folder);
	return folder;
}

function convert(from: string, more: Partial<ConvertOptions> = {}) {
	return convertModel(openOnnx(), {
		from,
		to: join(root, "out", "tiny"),
		quantization: "int8",
		...more,
	});
}

const bin = (folder: string) => join(folder, "model.bin");
const tensors = (folder: string) => join(folder, "model.safetensors");

function overwrite(path: string, offset: number, bytes: Buffer): void {
	const all = readFileSync(path);
	bytes.copy(all, offset);
	writeFileSync(path, all);
}

const cases: [
	what: string,
	kind: "ct2" | "hf",
	spoil: (folder: string) => void,
	message: RegExp,
][] = [
	[
		"a truncated model.bin",
		"ct2",
		(f) => truncateSync(bin(f), 5_000_000),
		/ends too early.*incomplete/,
	],
	[
		"an empty model.bin",
		"ct2",
		(f) => truncateSync(bin(f), 0),
		/ends too early/,
	],
	[
		"a wrong magic",
		"ct2",
		(f) => overwrite(bin(f), 0, Buffer.from("PK\x03\x04")),
		/not a CTranslate2 model/,
	],
	[
		"a model of another kind",
		"ct2",
		(f) => overwrite(bin(f), 6, Buffer.from("Transformer")),
		/not a WhisperSpec/,
	],
	[
		"a count that no file could hold",
		"ct2",
		(f) => overwrite(bin(f), 22, Buffer.alloc(4, 255)),
		/claims \d+ tensors/,
	],
	[
		"a truncated safetensors",
		"hf",
		(f) => truncateSync(tensors(f), 4_000_000),
		/ends too early/,
	],
	[
		"a safetensors header longer than any",
		"hf",
		(f) => overwrite(tensors(f), 0, Buffer.alloc(8, 127)),
		/header is too long/,
	],
	[
		"a safetensors header that is no JSON",
		"hf",
		(f) => overwrite(tensors(f), 8, Buffer.from("zz")),
		/header is not JSON/,
	],
	[
		"a directory without weights",
		"ct2",
		(f) => unlinkSync(bin(f)),
		/neither model\.bin.*nor model\.safetensors/,
	],
	[
		"a source without a vocabulary",
		"ct2",
		(f) => unlinkSync(join(f, "vocabulary.json")),
		/no vocabulary/,
	],
	[
		"a vocabulary of another spelling",
		"ct2",
		(f) =>
			writeFileSync(
				join(f, "vocabulary.json"),
				JSON.stringify(Array(51_865).fill("\u4e00")),
			),
		/not Whisper's spelling/,
	],
	[
		"a source without settings",
		"hf",
		(f) => unlinkSync(join(f, "generation_config.json")),
		/generation_config\.json/,
	],
	[
		"alignment heads outside the model",
		"ct2",
		(f) =>
			writeFileSync(
				join(f, "config.json"),
				JSON.stringify({
					alignment_heads: [[9, 0]],
					suppress_ids: [],
					suppress_ids_begin: [],
				}),
			),
		/alignment_heads/,
	],
	[
		"an alignment head that is named twice",
		"ct2",
		(f) =>
			writeFileSync(
				join(f, "config.json"),
				JSON.stringify({
					alignment_heads: [
						[0, 1],
						[0, 1],
					],
					suppress_ids: [],
					suppress_ids_begin: [],
				}),
			),
		/alignment_heads .* each of them once/,
	],
	[
		"settings that are no JSON",
		"ct2",
		(f) => appendFileSync(join(f, "config.json"), "}"),
		/not valid JSON/,
	],
];
for (const [what, kind, spoil, message] of cases)
	t.test(
		`${what} is refused with a message, and nothing is left`,
		async (t) => {
			mkdirSync(join(root, "out"), { recursive: true });
			await t.rejects(convert(spoilt(kind, spoil)), {
				name: "SourceError",
				message,
			});
			t.strictSame(readdirSync(join(root, "out")), []);
		},
	);

t.test("a value that is not finite is named", async (t) => {
	const bad = new Map(weights);
	const name = "encoder/layer_1/ffn/linear_0/weight";
	const { dims, values } = bad.get(name) as {
		dims: number[];
		values: Float32Array;
	};
	bad.set(name, {
		dims,
		values: values.map((one, i) => (i === 99 ? Number.NaN : one)),
	});
	writeCTranslate2(join(root, "nan"), bad, "float32");
	await t.rejects(convert(join(root, "nan")), {
		message:
			/layer_1\/ffn\/linear_0\/weight contains a value that is not finite/,
	});
	t.strictSame(readdirSync(join(root, "out")), []);
});

t.test("a model may suppress nothing", (t) => {
	const write = (folder: string, name: string, json: object) =>
		writeFileSync(join(folder, name), JSON.stringify(json));
	for (const [what, kind, change] of [
		[
			"null in config.json, a list in generation_config.json",
			"hf",
			(it: string) => {
				write(it, "config.json", { suppress_tokens: null });
				write(it, "generation_config.json", {
					suppress_tokens: [7],
					begin_suppress_tokens: [220],
				});
			},
		],
		[
			"null",
			"hf",
			(it: string) =>
				write(it, "generation_config.json", {
					suppress_tokens: null,
					begin_suppress_tokens: [220],
				}),
		],
		[
			"not at all, as null is left out",
			"hf",
			(it: string) =>
				write(it, "generation_config.json", { begin_suppress_tokens: [220] }),
		],
		[
			"null of CTranslate2",
			"ct2",
			(it: string) =>
				write(it, "config.json", {
					suppress_ids: null,
					suppress_ids_begin: [220],
				}),
		],
	] as const) {
		const { settings, weights } = openSourceDirectory(spoilt(kind, change));
		weights.close();
		t.same(settings.suppress, what.includes("a list") ? [7] : [], what);
		t.same(settings.suppressFirst, [220], what);
	}
	t.end();
});

t.test("an English-only vocabulary is refused with advice", async (t) => {
	const english = new Map(weights);
	const { values } = english.get("decoder/embeddings/weight") as {
		values: Float32Array;
	};
	english.set("decoder/embeddings/weight", {
		dims: [51_864, tiny.state],
		values: values.slice(0, 51_864 * tiny.state),
	});
	writeCTranslate2(join(root, "english"), english, "float16");
	await t.rejects(convert(join(root, "english")), { message: /English-only/ });
});

t.test(
	"a conversion that is stopped leaves nothing, and the old package unchanged",
	async (t) => {
		const to = join(root, "kept", "tiny");
		await convert(join(root, "ct2"), { to });
		const before = readFileSync(join(to, "model.json"), "utf8");
		await t.rejects(convert(join(root, "ct2"), { to }), {
			message: /already exists/,
		});
		const stop = new AbortController();
		const onProgress = () => stop.abort();
		await t.rejects(
			convert(join(root, "ct2"), {
				to,
				replace: true,
				quantization: "fp32",
				signal: stop.signal,
				onProgress,
			}),
		);
		t.strictSame(readdirSync(join(root, "kept")), ["tiny"]);
		t.equal(readFileSync(join(to, "model.json"), "utf8"), before);
		await verifyPackage(await loadPackage(to));
		await convert(join(root, "ct2"), {
			to,
			replace: true,
			quantization: "int4",
		});
		t.strictSame(readdirSync(join(root, "kept")), ["tiny"]);
		const opened = await loadPackage(to);
		await verifyPackage(opened);
		t.equal(opened.manifest.quantization, "int4");
		t.equal(opened.manifest.whisper?.special.firstTimestamp, 50_364);
		t.equal(opened.manifest.whisper?.languageTokens.ja, 50_266);
		t.equal(opened.manifest.whisper?.alignmentHeads, 3);
	},
);

t.test("progress adds up to the total", async (t) => {
	let done = 0;
	let total = 0;
	await convert(join(root, "hf"), {
		to: join(root, "progress", "tiny"),
		onProgress: (bytes, all) => {
			done += bytes;
			total = all;
		},
	});
	t.ok(total > 0);
	t.equal(done, total);
});

t.test("every type that the formats have is read", (t) => {
	const name = "encoder/layer_0/ffn/linear_0/weight";
	const truth = weights.get(name)?.values as Float32Array;
	// a source wants an embedding, of any size: all of it is nine tenths of the weights
	const embedding = "decoder/embeddings/weight";
	const few = new Map(weights).set(embedding, {
		dims: [1, tiny.state],
		values: new Float32Array(tiny.state),
	});
	const worst = (values: Float32Array) =>
		values.reduce(
			(most, one, i) => Math.max(most, Math.abs(one - (truth[i] as number))),
			0,
		);
	for (const [type, limit] of [
		["float32", 0],
		["float16", 0],
		["bfloat16", 0.005],
		["int8", 0.003],
	] as const) {
		writeCTranslate2(join(root, type), few, type);
		const source = CTranslate2Source.open(bin(join(root, type)));
		t.ok(worst(source.read(name).values) <= limit, type);
		source.close();
	}
	for (const [type, limit] of [
		["F32", 0],
		["F16", 0],
		["BF16", 0.005],
	] as const) {
		writeSafetensors(join(root, type), few, type);
		const source = SafetensorsSource.open(tensors(join(root, type)));
		t.ok(worst(source.read(name).values) <= limit, type);
		t.throws(() => source.read("encoder/nothing"), SourceError);
		source.close();
	}
	t.end();
});

t.test(
	"every file of a package is on the disk before it has its name",
	async (t) => {
		const synced = new Set<string>();
		const note = (descriptor: number) => {
			const path = readlinkSync(`/proc/self/fd/${descriptor}`);
			// written under another name until it is complete
			synced.add(basename(path).replace(/\.[0-9a-f]{8}$/, ""));
		};
		const handle = await open(root);
		const handles = Object.getPrototypeOf(handle);
		await handle.close();
		const { sync } = handles;
		mock.method(fs, "fsyncSync", note);
		mock.method(handles, "sync", function (this: typeof handle) {
			note(this.fd);
			return sync.call(this);
		});
		syncBuiltinESMExports();
		t.teardown(() => {
			mock.restoreAll();
			syncBuiltinESMExports();
		});
		const to = join(root, "out", "synced");
		await convert(join(root, "ct2"), {
			to,
			inlineBytesMax: 1000,
			quantization: "fp32",
		});
		await convert(join(root, "ct2"), { to, replace: true });
		for (const name of [
			"encoder.onnx",
			"encoder.onnx.data",
			"decoder.onnx",
			"decoder.onnx.data",
			...readdirSync(to),
		])
			t.ok(synced.has(name), name);
	},
);
