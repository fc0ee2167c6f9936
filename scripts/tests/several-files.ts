/**
 * Runs files of tests one after the other in this process, each as one test whose tests are those of the file: what they import is loaded once, and what they
 * keep open (test/whisper/kept-graphs.ts) is opened once. Usage: node build/scripts/tests/several-files.js FILE...
 *
 * INVARIANT: a file finds the environment and the working directory as the first one did, and what it hangs on its `t` ends with it.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Test } from "tap";
import { fileEnd } from "./file-end.js";
import { usedProcessorSeconds } from "./processor-time.js";

/** Of the package as scripts/bundles/tap.ts makes it. */
interface ChangeableTap {
	readonly root: Test;
	/** @param test is `t` for every module from now on. */
	use(test: Test): void;
}

/** Out of the arguments, before tap makes its names of them: those of folders (`t.testdir()`) have 255 bytes at most. */
const files = process.argv.splice(2);
const { root, use } = (await import("tap")) as unknown as ChangeableTap;
/** tap's timer of a process, for each file instead. */
const fileMsMax = Number(process.env.TAP_TIMEOUT ?? 0) * 1000;
const environment = { ...process.env };
const folder = process.cwd();

root.setTimeout(0);
let usedBefore = 0;
for (const file of files) {
	const startMs = performance.now();
	await root.test(file, { timeout: fileMsMax }, async (t) => {
		use(t);
		await import(pathToFileURL(resolve(file)).href);
	});
	restore();
	const seconds = (performance.now() - startMs) / 1000;
	const used = usedProcessorSeconds();
	const processorSeconds = used - usedBefore;
	usedBefore = used;
	root.comment(fileEnd.write({ file, seconds, processorSeconds }));
}

function restore(): void {
	use(root);
	process.chdir(folder);
	for (const name of Object.keys(process.env))
		if (!Object.hasOwn(environment, name)) delete process.env[name];
	Object.assign(process.env, environment);
}
