/** The rewritten encoder of the published zipformer computes what the published one does, in one run for several chunks. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { rewrittenJoiner } from "../../runtime/models/convert/zipformer/joiner-graph.js";
import { rewrittenEncoder } from "../../runtime/models/convert/zipformer/zipformer-encoder.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { Transducer } from "../../runtime/models/transducer/transducer.js";
import { ZipformerEncoder } from "../../runtime/models/zipformer/encoder.js";
import { openZipformerGraphs } from "../../runtime/models/zipformer/graphs.js";
import { realModel } from "../published/cases.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";
import { readWav } from "../whisper/packages.js";
import { withFloatProducts } from "./float-products.js";

const skip = existsSync(realModel) ? false : `${realModel} is not here`;
const port = openOnnx();
const chunks = 8;

t.test("as the published encoder, within rounding", { skip }, async (t) => {
	const folder = t.testdir({});
	const { files, shapes } = await readPublishedModel(realModel);
	const { "encoder.onnx": published = "" } = files;
	const shape = shapes.zipformer;
	if (!shape) throw new Error("another kind");
	const graphs = await openZipformerGraphs(
		port,
		{
			shape,
			encoderPath: published,
			decoderPath: files["decoder.onnx"] ?? "",
			joinerPath: files["joiner.onnx"] ?? "",
			tokens: readFileSync(`${realModel}/tokens.txt`, "utf8"),
		},
		{ threads: 1 },
	);
	const { chunkFrames, hopFrames, mels } = shape;
	const frames = (count: number) => chunkFrames + (count - 1) * hopFrames;
	const features = graphs.fbank.frames(
		readWav(`${realModel}/4.wav`),
		0,
		frames(chunks),
	);
	const encodedBy = async (path: string, together: number) => {
		const session = await port.open(path, { threads: 1 });
		const encoder = new ZipformerEncoder(port, session, shape);
		const found: number[] = [];
		let state = encoder.initial;
		for (let i = 0; i < chunks; i += together) {
			const from = i * hopFrames * mels;
			const part = features.slice(from, from + frames(together) * mels);
			const encoded = await encoder.encode(part, state);
			found.push(...encoded.frames);
			state = encoded.next;
		}
		await session.close();
		return found;
	};
	const difference = (one: readonly number[], other: readonly number[]) =>
		Math.max(...one.map((it, i) => Math.abs(it - (other[i] as number))));

	const bytes = await rewrittenEncoder(published);
	if (!bytes) throw new Error("not rewritten");
	const rewritten = join(folder, "rewritten.onnx");
	writeFileSync(rewritten, bytes);
	const inFloats = join(folder, "floats.onnx");
	writeFileSync(inFloats, withFloatProducts(readFileSync(published)));
	const expected = await encodedBy(inFloats, 1);
	t.equal(expected.length, (chunks * hopFrames * 320) / 4);
	for (const together of [1, 2, 8])
		t.ok(
			difference(await encodedBy(rewritten, together), expected) < 1e-4,
			`${together} chunks in a run`,
		);
	// its values are about 1; 8-bit activations are that much off
	const inBytes = difference(await encodedBy(published, 1), expected);
	t.ok(inBytes > 0.01 && inBytes < 1, `${inBytes}`);
	await graphs.close();
});

t.test("as the published joiner, within rounding", { skip }, async (t) => {
	const folder = t.testdir({});
	const { files } = await readPublishedModel(realModel);
	const { "decoder.onnx": decoderPath = "", "joiner.onnx": published = "" } =
		files;
	const vocabulary = 197;
	const width = 320;
	const values = (rows: number, step: number) =>
		Float32Array.from({ length: rows * width }, (_, i) => Math.sin(step * i));
	const frames = {
		values: values(3, 0.7),
		width,
		rows: Int32Array.of(0, 2, 1, 2),
	};
	const predictions = {
		values: values(2, 1.3),
		width,
		rows: Int32Array.of(1, 0, 1, 1),
	};
	const joinedBy = async (path: string) => {
		const decoder = await port.open(decoderPath, { threads: 1 });
		const joiner = await port.open(path, { threads: 1 });
		const transducer = new Transducer(port, decoder, joiner, 2, vocabulary);
		const { joinsMany } = transducer;
		const logps = await transducer.logProbabilities(frames, predictions);
		const two = await transducer.predict([
			[-1, 0],
			[3, 4],
			[-1, 0],
		]);
		await decoder.close();
		await joiner.close();
		return { logps, joinsMany, two };
	};
	const bytes = await rewrittenJoiner(published);
	if (!bytes) throw new Error("not rewritten");
	const rewritten = join(folder, "rewritten.onnx");
	writeFileSync(rewritten, bytes);
	const inFloats = join(folder, "floats.onnx");
	writeFileSync(inFloats, withFloatProducts(readFileSync(published)));
	const own = await joinedBy(rewritten);
	const expected = await joinedBy(inFloats);
	t.same([own.joinsMany, expected.joinsMany], [true, false]);
	t.equal(own.logps.length, 4 * vocabulary);
	own.logps.forEach((it, i) => {
		const off = Math.abs(it - (expected.logps[i] as number));
		if (!(off < 1e-4)) t.fail(`${i}: ${off}`);
	});
	const row = own.logps.subarray(0, vocabulary);
	const sum = row.reduce((total, it) => total + Math.exp(it), 0);
	t.ok(Math.abs(sum - 1) < 1e-5, "log-probabilities");
	t.equal(own.two[0], own.two[2], "a prediction is computed once");
	t.notSame(own.two[0], own.two[1]);
});

t.test("a graph of another structure is left as it is", async (t) => {
	const folder = t.testdir({});
	writeTinyZipformer(folder, zipformer2States(), 6);
	const { files } = await readPublishedModel(folder);
	t.equal(await rewrittenEncoder(files["encoder.onnx"] ?? ""), undefined);
	t.equal(await rewrittenJoiner(files["joiner.onnx"] ?? ""), undefined);
});
