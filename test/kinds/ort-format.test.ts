/** Moonshine in ONNX Runtime's own format: the same text as of the ONNX files, and nothing is trusted that was not checked. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { installFolder } from "../../runtime/models/package/install.js";
import { checkOrtGraph } from "../../runtime/models/package/ort-check.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { holds } from "../fuzz/holds.js";
import { alteredGraphsAreRefused } from "../models-package/ort-graph.property.js";
import {
	kindCases,
	parseAnswers,
	speechPieces,
	writtenCases,
} from "./cases.js";
import { openModel, tokensOf } from "./models.js";
import { writeOrt } from "./tiny/ort-format.js";

const name = "tiny-moonshine-v2";
const { folderOf, dispose } = writtenCases(
	kindCases.filter((it) => it.name === name),
);
t.teardown(dispose);
const folder = folderOf(name);
const [encoder, decoder] = ["encoder_model", "decoder_model_merged"].map((it) =>
	join(folder, it),
) as [string, string];
for (const graph of [encoder, decoder])
	await writeOrt(`${graph}.onnx`, `${graph}.ort`);
rmSync(`${decoder}.onnx`);

t.test("files of both formats are of two models", async (t) => {
	await t.rejects(readPublishedModel(folder), {
		message: /in different formats: keep only the files of one model/,
	});
	rmSync(`${encoder}.onnx`);
	const { shapes } = await readPublishedModel(folder);
	t.same(shapes.moonshine, { decoders: "merged", format: "ort" });
});

t.test("the tokens of the ONNX files", async (t) => {
	const model = await openModel(folder);
	const answers = parseAnswers(
		readFileSync("test/kinds/kind-answers.json", "utf8"),
	);
	const pieces = speechPieces();
	const ofOnnx = answers[name] ?? [];
	t.ok(ofOnnx.length > 0);
	for (const { piece, tokens } of ofOnnx) {
		const found = await tokensOf(model, {
			samples: pieces[piece] as Float32Array,
		});
		const symbols = found.map(({ token }) => model.symbols.symbol(token));
		t.same(
			symbols.map((it) => it.replaceAll("\u2581", " ").trim()),
			tokens.map((it) => it.replaceAll("\u2581", " ").trim()),
		);
	}
	await model.close();
});

t.test("it is installed as it is", async (t) => {
	const { manifest } = await installFolder(folder, {
		directory: t.testdir({}),
		name: "moonshine",
		languages: ["en-US"],
	});
	t.same(Object.keys(manifest.files).sort(), [
		"decoder.ort",
		"encoder.ort",
		"tokens.txt",
	]);
});

t.test("damaged and foreign files are refused with a sentence", async (t) => {
	const whole = readFileSync(`${decoder}.ort`);
	const path = join(t.testdir({}), "decoder.ort");
	const refused = async (bytes: Buffer, message: RegExp) => {
		writeFileSync(path, bytes);
		await t.rejects(checkOrtGraph(path), { name: "PackageError", message });
	};
	await refused(Buffer.alloc(0), /not a valid graph/);
	await refused(Buffer.from("<html>not found</html>"), /not a valid graph/);
	await refused(whole.subarray(0, 3000), /outside of the file/);
	const weights = Buffer.from(whole);
	const firstWeight = weightsIn(weights);
	weights.writeUInt32LE(0xffc00001, firstWeight);
	await refused(weights, /its weights ".*" contain NaN/);
	const foreign = Buffer.from(
		whole.toString("latin1").replaceAll("com.microsoft", "org.somebody1"),
		"latin1",
	);
	await refused(foreign, /needs the operator ".*" of "org.somebody1"/);
});

await holds(t, await alteredGraphsAreRefused(t), 60);

/** Position of a float of the embedding, which is uniform between -1.74 and 1.74. */
function weightsIn(bytes: Buffer): number {
	for (let at = 0; at + 64 < bytes.length; at += 4) {
		const values = Array.from({ length: 16 }, (_, i) =>
			bytes.readFloatLE(at + 4 * i),
		);
		if (values.every((it) => Math.abs(it) > 1e-6 && Math.abs(it) < 2))
			return at;
	}
	throw new Error("no weights");
}
