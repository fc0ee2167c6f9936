/** The module that a bundle of the program begins with. */

/** Loaded when they are needed; without them here they would be compiled at every start of an engine. */
const late = [
	"drivers/onnx/packaged.js",
	"drivers/onnx/session.js",
	"runtime/models/whisper/recognizer.js",
];

export const programEntry = `
export { run } from "./build/runtime/cli/run.js";
import { program } from "./build/runtime/cli/verbs.js";
export const warmUp = async () => [await program("all"), ${late.map((it) => `await import("./build/${it}")`).join()}];
`;
