/** Runs a bundle (one CommonJS file) with the code that V8 compiled of it the last time, kept beside it: compiling takes longer than all else in a start. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { constants, Script } from "node:vm";

/** @param url of the bundle, in which `__url` stands for it. @returns its exports. */
export function loadBundle<Exports>(url: string): Exports {
	const file = fileURLToPath(url);
	const cache = `${file}.v8`;
	const cachedData = readIfThere(cache);
	const script = new Script(
		`(function (module, exports, require, __url) {${readFileSync(file, "utf8")}\n})`,
		{
			filename: file,
			importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
			...(cachedData && { cachedData }),
		},
	);
	const module = { exports: {} as Exports };
	const run = script.runInThisContext();
	run(module, module.exports, createRequire(file), url);
	// V8 takes no code of another version of itself, of other flags, or of another text. What ran until now is compiled
	if (!cachedData || script.cachedDataRejected)
		keep(cache, script.createCachedData());
	return module.exports;
}

function readIfThere(file: string): Buffer | undefined {
	try {
		return readFileSync(file);
	} catch {
		return undefined;
	}
}

function keep(file: string, bytes: Buffer): void {
	const growing = `${file}.${process.pid}`; // several processes may start at once
	writeFileSync(growing, bytes);
	renameSync(growing, file);
}
