/**
 * The console as one file, `build/console.json`: everything that a browser loads, compressed, named by its content. Usage: node build/scripts/bundles/console.js
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { type BuildOptions, build, type Metafile } from "esbuild";

const source = "runtime/console";
const output = "build/console.json";

const types: Readonly<Record<string, string>> = {
	css: "text/css; charset=utf-8",
	html: "text/html; charset=utf-8",
	js: "text/javascript; charset=utf-8",
	svg: "image/svg+xml",
	webmanifest: "application/manifest+json",
};

const usual: BuildOptions = {
	bundle: true,
	write: false,
	minify: true,
	metafile: true,
	format: "esm",
	target: ["chrome111", "firefox113", "safari16.4"],
	outdir: "build/console",
	entryNames: "[name]-[hash]",
	chunkNames: "[name]-[hash]",
	legalComments: "none",
	charset: "utf8",
	logLevel: "silent", // what is wrong is thrown
};

export interface BuiltConsole {
	readonly files: Record<string, { type: string; gzip: string }>;
	/** Names of the npm packages that code was taken from. */
	readonly packages: readonly string[];
}

async function buildConsole(): Promise<BuiltConsole> {
	const files: BuiltConsole["files"] = {};
	const add = (name: string, content: string | Uint8Array) => {
		const type = types[name.split(".").at(-1) ?? ""];
		if (!type) throw new Error(`what is ${name}?`);
		const level = constants.Z_BEST_COMPRESSION;
		const gzip = gzipSync(content, { level }).toString("base64");
		files[name] = { type, gzip };
	};
	const worklet = await build({
		...usual,
		entryPoints: [`${source}/audio/capture-worklet.ts`],
	});
	const workletName = basename(worklet.outputFiles?.[0]?.path ?? "");
	const page = await build({
		...usual,
		splitting: true,
		jsx: "automatic",
		jsxImportSource: "preact",
		tsconfig: `${source}/tsconfig.json`,
		define: { WORKLET_FILE: JSON.stringify(workletName) },
		entryPoints: {
			main: `${source}/main.tsx`,
			style: `${source}/style/all.css`,
		},
	});
	const { metafile } = page;
	if (!metafile) throw new Error("esbuild gave no metafile");
	const atFirst = loadedBy(metafile, `${source}/main.tsx`);
	const ahead = await build({
		...usual,
		format: "iife", // no module: nothing waits for it
		define: { PAGE_FILES: JSON.stringify(filesOfPages(metafile, atFirst)) },
		entryPoints: [`${source}/ahead.ts`],
	});
	for (const { path, contents } of [
		...(worklet.outputFiles ?? []),
		...(page.outputFiles ?? []),
		...(ahead.outputFiles ?? []),
	])
		add(basename(path), contents);
	// in the document itself, too: browsers ask for a page's icon again with each of its places
	const svg = readFileSync(`${source}/icon.svg`, "utf8").trim();
	const icon = addHashed("icon.svg", svg);
	const manifest = addHashed(
		"app.webmanifest",
		readFileSync(`${source}/app.webmanifest`, "utf8").replace("ICON", icon),
	);
	const named = (start: string, end: string) =>
		Object.keys(files).find((it) => it.startsWith(start) && it.endsWith(end)) ??
		"";
	const shared = atFirst.filter((it) => it !== named("main-", ".js"));
	add(
		"index.html",
		readFileSync(`${source}/index.html`, "utf8")
			.replace("MAIN", named("main-", ".js"))
			.replace("AHEAD", named("ahead-", ".js"))
			.replace("STYLE", named("style-", ".css"))
			.replace("SHARED", shared.map(preload).join("\n"))
			.replace("ICON_DATA", `data:image/svg+xml,${encodeURIComponent(svg)}`)
			.replace("MANIFEST", manifest),
	);
	return { files, packages: packagesOf(metafile) };

	function addHashed(name: string, content: string): string {
		const hash = createHash("sha256").update(content).digest("hex");
		const full = name.replace(".", `-${hash.slice(0, 8).toUpperCase()}.`);
		add(full, content);
		return full;
	}
}

/** @returns the built files that a source's own loads with it, itself among them. */
function loadedBy(metafile: Metafile, entryPoint: string): string[] {
	const { outputs } = metafile;
	const first = Object.keys(outputs).find(
		(it) => outputs[it]?.entryPoint === entryPoint,
	);
	if (!first) throw new Error(`nothing was built of ${entryPoint}`);
	const found = new Set([first]);
	for (const path of found) // grows meanwhile
		for (const { path: other, kind } of outputs[path]?.imports ?? [])
			if (kind === "import-statement") found.add(other);
	return [...found].map((it) => basename(it));
}

/** What each page adds to the files that are there at first. */
function filesOfPages(metafile: Metafile, atFirst: readonly string[]) {
	const places = Object.values(metafile.outputs).flatMap(
		({ entryPoint = "" }) => {
			const [, name] =
				/^runtime\/console\/pages\/(\w+)\/\1\.tsx$/.exec(entryPoint) ?? [];
			return name ? [[name, entryPoint] as const] : [];
		},
	);
	return Object.fromEntries(
		places.map(([name, entryPoint]) => [
			name,
			loadedBy(metafile, entryPoint).filter((it) => !atFirst.includes(it)),
		]),
	);
}

/** What the main part consists of is fetched beside it, not after it has been read. */
function preload(name: string): string {
	return `<link rel="modulepreload" href="${name}">`;
}

function packagesOf(metafile: Metafile): string[] {
	const names = Object.keys(metafile.inputs).flatMap((path) => {
		const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
		return name ?? [];
	});
	return [...new Set(names)].sort();
}

const built = await buildConsole();
mkdirSync("build", { recursive: true });
writeFileSync(`${output}.next`, JSON.stringify(built));
renameSync(`${output}.next`, output);
