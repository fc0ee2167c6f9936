/** Writes a bundle that `loadBundle` (runtime/process/compiled-bundle.ts) runs, and what V8 compiles of it. */
import { spawnSync } from "node:child_process";
import {
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

export interface BundleSource {
	/** The entry module's text; it imports by paths from the root of the checkout. */
	readonly entry: string;
	/** Packages that stay files of their own: with native libraries, or mostly data. */
	readonly packages?: readonly string[];
	readonly plugins?: readonly Plugin[];
}

/** @param file with the extension cjs, replaced when the new one is complete. */
export async function writeBundle(
	file: string,
	{ entry, packages = [], plugins = [] }: BundleSource,
): Promise<void> {
	const made = resolve(file);
	// together, under another name first: V8 recognizes what it compiled by the length of the text only
	const growing = `${dirname(made)}.next`;
	rmSync(growing, { recursive: true, force: true });
	mkdirSync(growing, { recursive: true });
	const { outputFiles } = await build({
		stdin: { contents: entry, resolveDir: resolve(".") },
		bundle: true,
		write: false,
		platform: "node",
		format: "cjs",
		target: "node20.15",
		external: [...packages],
		supported: { "dynamic-import": false }, // text that V8 runs for us may only `require`
		define: { "import.meta.url": "__url" },
		minifyWhitespace: true, // names stay, for stack traces
		legalComments: "none",
		plugins: [...plugins, ownAddresses(dirname(made))],
		logLevel: "silent", // what is wrong is thrown
	});
	writeFileSync(
		join(growing, basename(made)),
		asAscii(outputFiles[0]?.text ?? ""),
	);
	rmSync(dirname(made), { recursive: true, force: true });
	renameSync(growing, dirname(made));
	compile(made);
}

/** The bundler escapes all but regular expressions, where `\\uXXXX` has the same meaning. */
function asAscii(code: string): string {
	return code.replace(
		/[\u0080-\uffff]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

/** Our modules find files by their own address. */
function ownAddresses(folder: string): Plugin {
	return {
		name: "own-addresses",
		setup: ({ onLoad }) =>
			onLoad({ filter: /\/build\/(runtime|drivers)\/.*\.js$/ }, ({ path }) => ({
				contents: readFileSync(path, "utf8").replaceAll(
					"import.meta.url",
					`new URL(${JSON.stringify(relative(folder, path))}, __url).href`,
				),
				loader: "js",
			})),
	};
}

/** Of an error without a message: a bundle's lines are endless. */
const reasonMax = 500;

/** In a process of its own: it runs the bundle. Without its result the bundle works, only slower. */
function compile(file: string): void {
	const compiler = fileURLToPath(new URL("compile.js", import.meta.url));
	const { status, stderr } = spawnSync(process.execPath, [compiler, file], {
		stdio: ["ignore", "ignore", "pipe"],
		encoding: "utf8",
	});
	if (status !== 0)
		process.stderr.write(
			`earshot: ${file} is not compiled: ${/^\w*Error: .*$/m.exec(stderr)?.[0] ?? stderr.slice(-reasonMax)}\n`,
		);
}
