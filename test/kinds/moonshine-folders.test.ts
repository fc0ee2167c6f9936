/** Moonshine's folders as published: which language, which form, and what is refused. */
import {
	copyFileSync,
	cpSync,
	mkdtempSync,
	readFileSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { installFolder } from "../../runtime/models/package/install.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { SymbolTable } from "../../runtime/models/writing/symbol-table.js";
import { kindCases, writtenCases } from "./cases.js";

const wanted = ["tiny-moonshine-v1", "tiny-moonshine-v2"];
const { folderOf, dispose } = writtenCases(
	kindCases.filter(({ name }) => wanted.includes(name)),
);
const root = mkdtempSync(join(tmpdir(), "earshot-moonshine-"));
t.teardown(() => {
	dispose();
	rmSync(root, { recursive: true, force: true });
});

function named(name: string, from = "tiny-moonshine-v2"): string {
	const folder = join(root, name);
	cpSync(folderOf(from), folder, { recursive: true });
	return folder;
}

t.test("the folder's name says the language", async (t) => {
	for (const [name, language] of [
		["sherpa-onnx-moonshine-base-zh-quantized-2026-02-27", "zh-cmn-Hans-CN"],
		["sherpa-onnx-moonshine-tiny-ja-quantized-2026-02-27", "ja-JP"],
		["sherpa-onnx-moonshine-tiny-en-int8", "en-US"],
	] as const) {
		const folder = named(name);
		t.same((await readPublishedModel(folder)).languages, [language]);
	}
});

t.test("without it the language has to be given", async (t) => {
	const directory = join(root, "models");
	const folder = named("mine");
	await t.rejects(installFolder(folder, { directory }), {
		name: "PackageError",
		message: /mine do not say which language.*--languages/,
	});
	const languages = ["ja-JP"];
	const { manifest } = await installFolder(folder, { directory, languages });
	t.same(manifest.languages, languages);
	t.same(manifest.moonshine, { decoders: "merged", format: "onnx" });
	t.same(Object.keys(manifest.files).sort(), [
		"decoder.onnx",
		"encoder.onnx",
		"tokens.txt",
	]);
});

t.test("both forms in one folder are two models", async (t) => {
	const folder = named("both", "tiny-moonshine-v1");
	for (const file of ["encoder_model.onnx", "decoder_model_merged.onnx"])
		copyFileSync(join(folderOf("tiny-moonshine-v2"), file), join(folder, file));
	await t.rejects(readPublishedModel(folder), {
		message:
			/two models, uncached_decode\.int8\.onnx and decoder_model_merged\.onnx/,
	});
});

t.test("symbols in base64, some of which are no whole character", (t) => {
	const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
	const utf8 = (text: string) => new TextEncoder().encode(text);
	const character = utf8("好");
	const lines = [
		utf8("▁well"),
		character.slice(0, 1),
		character.slice(1),
		utf8("\n"),
		new Uint8Array(0),
	].map((it, i) => `${base64(it)} ${i}\n`);
	const symbols = new SymbolTable(lines.join(""), "text", "base64");
	t.equal(symbols.size, 5);
	t.equal(symbols.symbol(0), "▁well");
	t.equal(
		symbols
			.pieces([0, 1, 2, 4])
			.map(({ text }) => text)
			.join(""),
		"well好",
	);
	t.throws(() => new SymbolTable("▁well 0\n", "text", "base64"), {
		message: /not the base64 of a symbol/,
	});
	const published = readFileSync(
		join(folderOf("tiny-moonshine-v1"), "tokens.txt"),
		"utf8",
	);
	t.equal(new SymbolTable(published).symbol(2), "</s>");
	t.end();
});
