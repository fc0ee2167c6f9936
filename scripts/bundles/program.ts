/** The program as one file, `build/program/earshot.cjs`, which runtime/main.ts starts. Usage: node build/scripts/bundles/program.js */
import { writeBundle } from "./write-bundle.js";

/** Loaded when they are needed; without them here they would be compiled at every start of an engine. */
const late = [
	"drivers/onnx/packaged.js",
	"drivers/onnx/session.js",
	"runtime/models/whisper/recognizer.js",
];

await writeBundle("build/program/earshot.cjs", {
	entry: `
export { run } from "./build/runtime/cli/run.js";
import { program } from "./build/runtime/cli/verbs.js";
export const warmUp = async () => [await program("all"), ${late.map((it) => `await import("./build/${it}")`).join()}];
`,
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
