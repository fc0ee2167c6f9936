/** Published folders that are damaged, incomplete or mixed up are refused, with one sentence that says why. */
import {
	appendFileSync,
	copyFileSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { openStreamingCtcModel } from "../../runtime/models/streaming-ctc/recognizer.js";
import type { StreamingCtcShape } from "../../runtime/models/streaming-ctc/shape.js";
import { kindCases, writtenCases } from "./cases.js";
import { openPublished } from "./models.js";

/** A fresh folder of a case, for a test to damage. */
function fresh(name: string) {
	const cases = kindCases.filter((it) => it.name === name);
	const { folderOf, dispose } = writtenCases(cases);
	t.teardown(dispose);
	return folderOf(name);
}

/** Renames a key of the metadata in place. */
function loseKey(folder: string, part: string, key: string): void {
	const file = readdirSync(folder).find((it) => it.startsWith(part)) ?? part;
	const path = join(folder, file);
	const bytes = readFileSync(path);
	const at = bytes.lastIndexOf(key);
	t.ok(at > 0, `${file} has ${key}`);
	bytes.write("x".repeat(key.length), at);
	writeFileSync(path, bytes);
}

/** Adds to the metadata: behind the rest of a file, as protobuf allows. */
function addKey(path: string, key: string, value: string): void {
	const text = (field: number, it: string) =>
		Buffer.concat([
			Buffer.of((field << 3) | 2, it.length),
			Buffer.from(it, "latin1"),
		]);
	const entry = Buffer.concat([text(1, key), text(2, value)]);
	appendFileSync(path, text(14, entry.toString("latin1")));
}

for (const [name, part, key] of [
	["tiny-transducer", "decoder", "context_size"],
	["tiny-nemo-tdt", "encoder", "pred_hidden"],
	["tiny-nemo-rnnt", "encoder", "subsampling_factor"],
	["tiny-dolphin", "model", "invstd"],
	["tiny-streaming-ctc", "ctc", "decode_chunk_len"],
	["tiny-streaming-paraformer", "encoder", "decoder_kernel_size"],
	["tiny-streaming-paraformer", "encoder", "neg_mean"],
	["tiny-paraformer", "model", "lfr_window_shift"],
	["tiny-fire-red", "encoder", "head_dim"],
	["tiny-fire-red", "encoder", "cmvn_inv_stddev"],
] as const)
	t.test(`${name}: metadata without ${key} is refused by name`, async (t) => {
		const folder = fresh(name);
		loseKey(folder, part, key);
		await t.rejects(readPublishedModel(folder), {
			name: "PackageError",
			message: new RegExp(`metadata has no numbers? ${key}`),
		});
	});

t.test("a graph without a type is refused", async (t) => {
	for (const [name, part] of [
		["tiny-zipformer-ctc", "model"],
		["tiny-streaming-ctc", "ctc"],
		["tiny-nemo-tdt", "encoder"],
	] as const) {
		const folder = fresh(name);
		loseKey(folder, part, "model_type");
		await t.rejects(readPublishedModel(folder), {
			message: /is of type unnamed; supported are/,
		});
	}
});

for (const { name } of kindCases)
	t.test(`${name}: tokens.txt of another model is refused`, async (t) => {
		const folder = fresh(name);
		const path = join(folder, "tokens.txt");
		const lines = readFileSync(path, "utf8").trim().split("\n");
		// the last of NeMo's is the blank
		writeFileSync(path, `${lines.slice(0, -2).join("\n")}\n`);
		const opened = async () => {
			const recognizer = await openPublished(folder);
			const samples = Float32Array.from(
				{ length: 32_000 },
				(_, i) => Math.sin(i * i * 1e-5) * (i % 8000 < 4000 ? 0.5 : 0.01),
			);
			try {
				await recognizer.recognize({
					samples,
					language: "en-US",
					beam: 1,
					punctuation: true,
					words: false,
				});
			} finally {
				await recognizer.close();
			}
		};
		await t.rejects(opened(), {
			message: /tokens\.txt has (?:\d+ symbols, the model scores|no <blk>)/,
		});
	});

t.test("a list that has no symbols and numbers is refused", async (t) => {
	const folder = fresh("tiny-zipformer-ctc");
	for (const list of [
		"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 5048\n",
		"<blk>\nhello\nworld\n",
		"<blk> 0\nhello 1234567\n",
		'{"<blk>": 0}',
	]) {
		writeFileSync(join(folder, "tokens.txt"), list);
		await t.rejects(readPublishedModel(folder), {
			name: "PackageError",
			message: /tokens\.txt: not a symbol and its number: "/,
		});
	}
});

t.test("swapped graphs are refused", async (t) => {
	for (const [name, one, other] of [
		["tiny-transducer", "decoder", "joiner"],
		["tiny-nemo-tdt", "decoder", "joiner"],
		["tiny-moonshine-v1", "uncached_decode", "cached_decode"],
		["tiny-moonshine-v1", "preprocess", "encode"],
		["tiny-moonshine-v2", "encoder", "decoder"],
	] as const) {
		const folder = fresh(name);
		const file = (part: string) =>
			join(folder, readdirSync(folder).find((it) => it.startsWith(part)) ?? "");
		const [first, second] = [file(one), file(other)];
		const aside = join(folder, "aside");
		renameSync(first, aside);
		renameSync(second, first);
		renameSync(aside, second);
		await t.rejects(openPublished(folder), {
			message: /another graph|not a transducer's|metadata has no number/,
		});
	}
});

t.test("a Japanese symbol does not make FireRed Japanese", async (t) => {
	const { languages } = await readPublishedModel(fresh("tiny-fire-red"));
	t.same(languages, ["zh-cmn-Hans-CN", "en-US", "zh-cmn-Hans-CN-en-US"]);
});

t.test("Dolphin's symbols do not make it English", async (t) => {
	const folder = fresh("tiny-dolphin");
	const tokens = join(folder, "tokens.txt");
	const kana = readFileSync(tokens, "utf8").replace("▁hello ", "あ ");
	writeFileSync(tokens, kana);
	const { languages } = await readPublishedModel(folder);
	t.same(languages, ["zh-cmn-Hans-CN", "ja-JP"]);
});

t.test("symbols of other languages do not make a model English", async (t) => {
	const folder = fresh("tiny-zipformer-ctc");
	const tokens = join(folder, "tokens.txt");
	const plain = readFileSync(tokens, "utf8");
	const languages = async (text: string) => {
		writeFileSync(tokens, text);
		return (await readPublishedModel(folder)).languages;
	};
	const han = [...plain.matchAll(/\p{Script=Han}/gu)].flat();
	t.ok(han.length > 5);
	const inScript = (letters: string) =>
		plain.replaceAll(
			/\p{Script=Han}/gu,
			(it) => letters[han.indexOf(it) % letters.length] ?? "",
		);
	t.same(await languages(inScript("가나다라")), [], "Korean");
	t.same(await languages(inScript("дежз")), [], "Russian");
	t.same(
		await languages(plain.replace(han[0] ?? "", "д")),
		["zh-cmn-Hans-CN", "en-US", "zh-cmn-Hans-CN-en-US"],
		"a list of characters has some of every script",
	);
});

t.test(
	"FireRed's decoder in the place of its encoder is refused",
	async (t) => {
		const folder = fresh("tiny-fire-red");
		copyFileSync(
			join(folder, "encoder.int8.onnx"),
			join(folder, "decoder.int8.onnx"),
		);
		await t.rejects(openPublished(folder), {
			message: /the decoder is another graph than expected/,
		});
	},
);

t.test("a streaming graph that is none is refused", async (t) => {
	const folder = fresh("tiny-streaming-ctc");
	const [graph = ""] = readdirSync(folder).filter((it) => /onnx$/.test(it));
	copyFileSync(
		join(fresh("tiny-zipformer-ctc"), "model.int8.onnx"),
		join(folder, graph),
	);
	await t.rejects(readPublishedModel(folder), {
		message: /is of type zipformer2_ctc; supported are/,
	});
	const { shapes, files } = await readPublishedModel(
		fresh("tiny-streaming-ctc"),
	);
	const port = openOnnx();
	const shape = shapes.streamingCtc;
	t.ok(shape);
	const tokens = readFileSync(join(folder, "tokens.txt"), "utf8");
	const opened = (modelPath: string, shape: unknown) =>
		openStreamingCtcModel(
			port,
			{ tokens, modelPath, shape: shape as StreamingCtcShape },
			{ threads: 1 },
		);
	await t.rejects(opened(join(folder, graph), shape), {
		name: "ModelFault",
		message: /has no output new_x_lens/,
	});
	await t.rejects(
		opened(files["model.onnx"] ?? "", { ...shape, chunkFrames: 39 }),
		{ message: /x is \[1,45,80\], but the manifest has 39 frames of 80/ },
	);
});

t.test("the graphs of a streaming Paraformer are told apart", async (t) => {
	const folder = fresh("tiny-streaming-paraformer");
	const [encoder, decoder] = ["encoder", "decoder"].map((it) =>
		join(folder, `${it}.int8.onnx`),
	) as [string, string];
	const aside = join(folder, "aside");
	copyFileSync(decoder, aside);
	copyFileSync(encoder, decoder);
	await t.rejects(openPublished(folder), {
		name: "ModelFault",
		message: /decoder is another graph than expected/,
	});
	renameSync(aside, encoder);
	await t.rejects(readPublishedModel(folder), {
		message: /is of type unnamed; supported are/,
	});
});

t.test("WeNet's folders have a model for streams beside it", async (t) => {
	const folder = fresh("tiny-wenet-ctc");
	const [graph, streaming] = ["model", "model-streaming"].map((it) =>
		join(folder, `${it}.int8.onnx`),
	) as [string, string];
	const { shapes } = await readPublishedModel(folder);
	copyFileSync(graph, streaming);
	addKey(streaming, "chunk_size", "16");
	const found = await readPublishedModel(folder);
	t.equal(found.files["model.onnx"], graph);
	t.same(found.shapes, shapes);
	t.equal(found.quantization, "int8");
	rmSync(graph);
	await t.rejects(readPublishedModel(folder), {
		message:
			/model-streaming\.int8\.onnx is a streaming model of type wenet_ctc; supported are/,
	});
	// as git leaves a large file that was not fetched
	writeFileSync(join(folder, "model.onnx"), "version https://git-lfs");
	await t.rejects(readPublishedModel(folder), {
		message: /model-streaming\.int8\.onnx is a streaming model/,
	});
});

t.test(
	"streaming models of NeMo are refused when they are added",
	async (t) => {
		for (const [name, part, type] of [
			["tiny-nemo-ctc", "model", "EncDecCTCModelBPE"],
			["tiny-nemo-tdt", "encoder", "EncDecRNNTBPEModel"],
		] as const) {
			const folder = fresh(name);
			const graph = readdirSync(folder).find((it) => it.startsWith(part)) ?? "";
			addKey(join(folder, graph), "cache_last_channel_dim1", "17");
			await t.rejects(readPublishedModel(folder), {
				message: new RegExp(`is a streaming model of type ${type}; supported`),
			});
		}
	},
);

t.test("two models in one folder are refused", async (t) => {
	const folder = fresh("tiny-transducer");
	const other = fresh("tiny-paraformer");
	copyFileSync(join(other, "model.int8.onnx"), join(folder, "model.int8.onnx"));
	await t.rejects(readPublishedModel(folder), {
		message:
			/has two models, encoder.*\.onnx \(transducer\) and model\.int8\.onnx \(paraformer\)/,
	});
});
