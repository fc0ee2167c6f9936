/**
 * What Node starts in a checkout: the command line (cli/run.ts), from the bundle that scripts/prepare makes of the compiled modules. The modules themselves
 * run where there is no bundle, or one that is older than they are.
 */
import { statSync } from "node:fs";
import type { run as Run } from "./cli/run.js";
import { loadBundle } from "./process/compiled-bundle.js";

const words = process.argv.slice(2);
const bundle = new URL(
	// many processes wait for this verb: it has a bundle of its own, which takes half as long to load
	words[0] === "check-store"
		? "../check-store/check-store.cjs"
		: "../program/earshot.cjs",
	import.meta.url,
);
/** Written by each compilation that changed something. */
const compilation = new URL("../.tsbuildinfo", import.meta.url);

const { exports, wasCompiled } = isCurrent()
	? loadBundle<{ run: typeof Run }>(bundle.href)
	: { exports: await import("./cli/run.js"), wasCompiled: undefined };
exports.run(words, wasCompiled);

function isCurrent(): boolean {
	const made = writtenMs(bundle);
	return made !== undefined && made >= (writtenMs(compilation) ?? 0);
}

function writtenMs(file: URL): number | undefined {
	return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
