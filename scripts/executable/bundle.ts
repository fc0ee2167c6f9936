/** All code of the program as one CommonJS file, and a small one that starts it, which is what a single executable can start. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build, type Metafile } from "esbuild";
import { programEntry } from "../bundles/program-entry.js";
import { ownParts } from "./bundle-plugin.js";

/** The module that starts the rest; it is no file. */
const entry = "entry.js";

export interface Bundle {
	/** What Node starts. */
	readonly main: string;
	readonly program: string;
	/** Names of the npm packages that code was taken from, sorted. */
	readonly packages: readonly string[];
}

/** What Node defines in a CommonJS file. */
const ownPlace =
	'const __filename=process.execPath,__dirname=require("node:path").dirname(__filename);';
const ownUrl =
	'const __executableUrl=require("node:url").pathToFileURL(process.execPath).href;';

const mainEntry = `import { startProgram } from "./build/runtime/executable/program-code.js"; startProgram(process.argv.slice(2));`;

export async function bundle(nodeVersion: string): Promise<Bundle> {
	const [main, program] = await Promise.all([
		bundled(mainEntry, nodeVersion, ownUrl),
		bundled(programEntry, nodeVersion, ownUrl + ownPlace),
	]);
	return { main: main.code, program: program.code, packages: program.packages };
}

async function bundled(contents: string, nodeVersion: string, banner: string) {
	const { outputFiles, metafile } = await build({
		stdin: { contents, resolveDir: resolve("."), sourcefile: entry },
		bundle: true,
		write: false,
		metafile: true,
		platform: "node",
		format: "cjs",
		target: `node${nodeVersion}`,
		// names stay, for stack traces; comments of licences are in `earshot licenses`
		minifyWhitespace: true,
		minifySyntax: true,
		legalComments: "none",
		charset: "ascii", // UTF-8 takes ten times as long to read
		plugins: [ownParts],
		logLevel: "silent", // what is wrong is thrown
		// a file's own address is that of the executable
		define: { "import.meta.url": "__executableUrl" },
		banner: { js: banner },
	});
	expectNoEvalInModules(metafile);
	const packages = new Set(
		Object.keys(metafile.inputs).flatMap((path) => packageOf(path) ?? []),
	);
	return {
		code: outputFiles[0]?.text ?? "",
		packages: [...packages].sort(),
	};
}

/**
 * Text that is run as code knows variables by names which a bundler may change (bundle-plugin.ts). Looked for here: the bundler does not warn of packages.
 * @throws
 */
function expectNoEvalInModules({ inputs }: Metafile): void {
	for (const [path, { format }] of Object.entries(inputs))
		if (
			path !== entry &&
			format === "esm" &&
			/(?<![\w.$])eval\(/.test(readFileSync(path, "utf8"))
		)
			throw new Error(
				`${path} uses eval in a module: take the package's CommonJS file`,
			);
}

function packageOf(path: string): string | undefined {
	const [, inner] = /^(?:.*\/)?node_modules\/(.*)$/.exec(path) ?? [];
	return inner?.split("/", inner.startsWith("@") ? 2 : 1).join("/");
}

/** The program's own version. */
export function ownVersion(): string {
	return String(JSON.parse(readFileSync("package.json", "utf8")).version);
}
