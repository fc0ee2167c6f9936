/**
 * Runs a bundle: many modules in one CommonJS file, with the code that V8 compiled of it beside it. Finding and compiling hundreds of modules takes most of
 * a short process's time. V8 takes compiled code only of its own version and flags; otherwise the bundle is compiled again, in the process alone.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

export interface LoadedBundle<Exports> {
	readonly exports: Exports;
	/** Whether V8 took the compiled code that was kept. */
	readonly wasCompiled: boolean;
	/** Of what ran until now, to be kept in the bundle's `compiledFile`. */
	compiled(): Buffer;
}

/** @param bundle a path. */
export function compiledFile(bundle: string): string {
	return `${bundle}.v8`;
}

/** Its text is ASCII: reading UTF-8 takes ten times as long. */
export function loadBundle<Exports>(url: string): LoadedBundle<Exports> {
	const file = fileURLToPath(url);
	return runBundle(
		readFileSync(file, "latin1"),
		url,
		readIfThere(compiledFile(file)),
	);
}

/**
 * @param url of the bundle, which calls it `__url` (there is no `import.meta` in CommonJS).
 * @param cachedData what was compiled of it earlier.
 */
export function runBundle<Exports>(
	text: string,
	url: string,
	cachedData?: Buffer,
): LoadedBundle<Exports> {
	const file = fileURLToPath(url);
	const script = new Script(
		`(function (module, exports, require, __url) {${text}\n})`,
		{
			filename: file,
			...(cachedData && { cachedData }),
		},
	);
	const module = { exports: {} as Exports };
	const run = script.runInThisContext();
	run(module, module.exports, createRequire(file), url);
	return {
		exports: module.exports,
		wasCompiled: cachedData !== undefined && !script.cachedDataRejected,
		compiled: () => script.createCachedData(),
	};
}

function readIfThere(file: string): Buffer | undefined {
	try {
		return readFileSync(file);
	} catch {
		return undefined;
	}
}
