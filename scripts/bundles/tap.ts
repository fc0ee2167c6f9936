/**
 * tap as one file in `build/node_modules`, where the compiled tests find it before the package. Every test file is a process of its own, and importing the
 * package's 250 modules costs each of them 0.3 s of processor time; this costs a fifth of that. Left out is what no test of ours uses.
 */
import {
	existsSync,
	mkdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { writeBundle } from "./write-bundle.js";

const folder = "build/node_modules/tap";
/** tap leaves files of `@tapjs` out of stack traces, so that a failed assertion shows the line of the test. */
const bundle = "build/node_modules/@tapjs/tap.cjs";
const installed = "node_modules/.earshot-installed.json";

/** Plugins of tap that give `t` methods which our tests do not call; each brings modules of its own. */
const unusedPlugins =
	/^@tapjs\/(chdir|filter|intercept|mock|node-serialize|snapshot|spawn|stdin|typescript|worker)$/;
/** Compares elements of React. */
const react = /^\.\/react-element-to-jsx-string\.js$/;

/**
 * Follows every promise and timer with Node's async hooks, a tenth of a test's time, to know whose error nobody has caught. Node ends the process at one then,
 * and tap names the tests that were under way.
 */
const domains = /^async-hook-domain$/;

const withoutUnused: Plugin = {
	name: "without-unused",
	setup({ onResolve, onLoad }) {
		const leaveOut = (filter: RegExp, namespace: string, contents: string) => {
			onResolve({ filter }, ({ path }) => ({ path, namespace }));
			onLoad({ filter: /./, namespace }, () => ({ contents }));
		};
		leaveOut(unusedPlugins, "plugin", "export const plugin = () => ({});");
		leaveOut(react, "react", "export default undefined;");
		leaveOut(domains, "domains", "export class Domain { destroy() {} }");
	},
};

/** Besides what the package exports: `root`, and `use` for files that share a process (scripts/tests/several-files.ts). Made when it is missing, or older than the installed packages or than this program. */
export async function makeOneFileTap(): Promise<void> {
	const last = join(folder, "package.json");
	if (existsSync(last) && sources().every((it) => isOlder(it, last))) return;
	rmSync(folder, { recursive: true, force: true });
	await writeBundle(bundle, {
		entry: 'export { Test, default } from "tap";',
		plugins: [withoutUnused],
	});
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		join(folder, "index.js"),
		`import { loadBundle } from "../../runtime/process/compiled-bundle.js";
const { default: root, Test } = loadBundle(new URL("../@tapjs/tap.cjs", import.meta.url).href).exports;
let t = root;
export { t as default, root, t, Test };
export const use = (test) => {
	t = test;
};
`,
	);
	writeFileSync(last, '{ "type": "module", "exports": "./index.js" }\n');
}

function sources(): string[] {
	const writer = new URL("write-bundle.js", import.meta.url);
	return [installed, fileURLToPath(import.meta.url), fileURLToPath(writer)];
}

function isOlder(file: string, than: string): boolean {
	return statSync(file).mtimeMs < statSync(than).mtimeMs;
}
