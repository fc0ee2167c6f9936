/**
 * What packages do to find their native libraries and data files, written again for an executable, where no files lie beside the code: they ask
 * runtime/executable/parts.ts instead. A package that changes how it loads them is noticed: the text that is replaced must be there.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Loader, OnLoadResult, Plugin } from "esbuild";

const parts = JSON.stringify(resolve("build/runtime/executable/parts.js"));
const addon = (name: string) => `require(${parts}).loadAddon("${name}")`;
const library = (name: string) => `require(${parts}).libraryFile("${name}")`;
const data = (name: string) => `require(${parts}).partData("${name}")`;

/** Modules that stand for another one. */
const standIns: Readonly<Record<string, string>> = {
	"uWebSockets.js": `module.exports = ${addon("uws.node")};`,
	"@node-rs/jieba/dict.js": `
Object.defineProperty(exports, "dict", { get: () => ${data("jieba-dict.txt")} });
Object.defineProperty(exports, "idf", { get: () => ${data("jieba-idf.txt")} });`,
	"earshot:lmdb": `module.exports = () => ${addon("lmdb.node")};`,
	"earshot:msgpackr-extract": `module.exports = () => ${addon("msgpackr-extract.node")};`,
	"earshot:jieba": `module.exports = ${addon("jieba.node")};`,
	"earshot:absent": `throw new Error("not part of this executable");`,
	"earshot:ffi-rs": `module.exports = ${addon("ffi-rs.node")};`,
};

/** Who asks for what, and what stands for it. */
const redirections: readonly (readonly [
	wanted: RegExp,
	importer: RegExp,
	standIn: string,
])[] = [
	[/^uWebSockets\.js$/, /./, "uWebSockets.js"],
	[/^@node-rs\/jieba\/dict\.js$/, /./, "@node-rs/jieba/dict.js"],
	[/^node-gyp-build-optional-packages$/, /\/lmdb\//, "earshot:lmdb"],
	[
		/^node-gyp-build-optional-packages$/,
		/\/msgpackr-extract\//,
		"earshot:msgpackr-extract",
	],
	[/^\.\/jieba\.linux-\w+-gnu\.node$/, /./, "earshot:jieba"],
	[/^@yuuang\/ffi-rs-linux-\w+-gnu$/, /./, "earshot:ffi-rs"],
];

interface Edit {
	readonly file: RegExp;
	readonly from: string | RegExp;
	readonly to: string;
}

const edits: readonly Edit[] = [
	{
		file: /\/onnxruntime-node\/dist\/binding\.js$/,
		from: /require\(`\.\.\/bin\/[^`]*onnxruntime_binding\.node`\)/,
		to: addon("onnxruntime_binding.node"),
	},
	{
		file: /\/lindera-wasm-nodejs-ipadic\/lindera_wasm\.js$/,
		from: "require('fs').readFileSync(wasmPath)",
		to: data("lindera.wasm"),
	},
	{
		file: /\/build\/drivers\/onnx\/capi\/native-library\.js$/,
		from: /return fileURLToPath\([^;]*\);/,
		to: `return ${library("earshot_ort.so")};`,
	},
	{
		file: /\/build\/drivers\/onnx\/capi\/stock-library\.js$/,
		from: /const main = [^}]*/,
		to: `return ${library("libonnxruntime.so.1")};`,
	},
	{
		// CommonJS' require, which a bundle has anyway
		file: /\/build\/runtime\/(api\/server\/native|text\/zh\/pinyin)\.js$/,
		from: "createRequire(import.meta.url)(",
		to: "require(",
	},
];

/**
 * Packages whose CommonJS files are taken. lmdb's keys are read by code that is made with `eval` and names variables of its file (ordered-binary): of modules,
 * a bundler gives such variables other names where two files have the same, and reading a key then never ends. CommonJS keeps its own scope.
 */
const asCommonJs: Readonly<Record<string, string>> = {
	lmdb: "node_modules/lmdb/dist/index.cjs",
};

/** Asked for in a try of its own, and never installed: other systems and other libraries. */
const absent =
	/^(@yuuang\/ffi-rs-|@node-rs\/jieba-|\.\/(ffi-rs|jieba)\.[\w-]+\.node$|bufferutil$|utf-8-validate$|bun:ffi$)/;

export const ownParts: Plugin = {
	name: "own-parts",
	setup(build) {
		build.onResolve({ filter: /./ }, ({ path, importer }) => {
			const found = redirections.find(
				([wanted, by]) => wanted.test(path) && by.test(importer),
			);
			if (found) return { path: found[2], namespace: "stand-in" };
			const commonJs = asCommonJs[path];
			if (commonJs) return { path: resolve(commonJs) };
			return absent.test(path)
				? { path: "earshot:absent", namespace: "stand-in" }
				: undefined;
		});
		build.onLoad({ filter: /./, namespace: "stand-in" }, ({ path }) => ({
			contents: standIns[path] ?? "",
			loader: "js",
			resolveDir: resolve("."),
		}));
		for (const edit of edits)
			build.onLoad({ filter: edit.file }, ({ path }) => edited(path, edit));
	},
};

function edited(path: string, { from, to }: Edit): OnLoadResult {
	const text = readFileSync(path, "utf8");
	const contents = text.replace(from, () => to);
	const loader: Loader = "js";
	if (contents === text)
		return { errors: [{ text: `${path} does not hold ${from}` }] };
	return { contents, loader };
}
