/** The modules that bundles of the program begin with. */

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

/** `earshot check-store` alone: each start of a server and most commands wait for such a process, which needs a hundredth of the program. */
export const checkStoreEntry = `
import { checkStoreCommand } from "./build/runtime/cli/check-store.js";
export const run = ([, ...words]) => checkStoreCommand().parse(words, { from: "user" });
export const warmUp = async () => checkStoreCommand();
`;
