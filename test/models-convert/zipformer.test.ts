/** The rewritten encoder of the published zipformer computes what the published one does, in one run for several chunks. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { rewrittenEncoder } from "../../runtime/models/convert/zipformer/zipformer-encoder.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
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

t.test("a graph of another structure is left as it is", async (t) => {
	const folder = t.testdir({});
	writeTinyZipformer(folder, zipformer2States(), 6);
	const { files } = await readPublishedModel(folder);
	t.equal(await rewrittenEncoder(files["encoder.onnx"] ?? ""), undefined);
});
