/** The program as one file, `build/program/earshot.cjs`, which runtime/main.ts starts. Usage: node build/scripts/bundles/program.js */
import { programEntry } from "./program-entry.js";
import { writeBundle } from "./write-bundle.js";

await writeBundle("build/program/earshot.cjs", {
	entry: programEntry,
	packages: [
		"@alexanderolsen/libsamplerate-js",
		"@node-rs/jieba",
		"@node-rs/jieba/dict.js",
		"bufferutil",
		"ffi-rs",
		"lindera-wasm-nodejs-ipadic",
		"lmdb",
		"onnxruntime-node",
		"opencc-js/*",
		"pinyin-pro",
		"uWebSockets.js",
		"utf-8-validate",
	],
});
