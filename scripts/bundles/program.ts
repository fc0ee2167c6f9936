/** The program as one file, `build/program/earshot.cjs`, and the check of a database as another: runtime/main.ts starts them. Usage: node build/scripts/bundles/program.js */
import { checkStoreEntry, programEntry } from "./program-entry.js";
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

await writeBundle("build/check-store/check-store.cjs", {
	entry: checkStoreEntry,
	packages: ["ffi-rs", "lmdb"],
});
