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
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { writeBundle } from "./write-bundle.js";

const folder = "build/node_modules/tap";
/** tap leaves files of `@tapjs` out of stack traces, so that a failed assertion shows the line of the test. */
const bundle = "build/node_modules/@tapjs/tap.cjs";
const installed = "node_modules/.earshot-installed.json";
const equalData = new URL("equal-data.js", import.meta.url);

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

/** `t.same` and `t.strictSame` ask {@link areEqualData} first: an array of a hundred thousand numbers took seconds. */
const quick = "quick-same";
const quickSame: Plugin = {
	name: "quick-same",
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^tcompare$/ }, ({ path, namespace }) =>
			namespace === quick ? undefined : { path, namespace: quick },
		);
		onLoad({ filter: /./, namespace: quick }, () => ({
			contents: quickComparison,
			resolveDir: resolve("."),
		}));
	},
};
const quickComparison = `
import { same as sameAsTcompare, strict as strictAsTcompare } from "tcompare";
import { areEqualData } from ${JSON.stringify(fileURLToPath(equalData))};
export * from "tcompare";
const first = (compare) => (found, wanted, options) =>
	areEqualData(found, wanted) ? { match: true, diff: "" } : compare(found, wanted, options);
export const same = first(sameAsTcompare);
export const strict = first(strictAsTcompare);
`;

/** Besides what the package exports: `root`, and `use` for files that share a process (scripts/tests/several-files.ts). Made when it is missing, or older than the installed packages or than this program. */
export async function makeOneFileTap(): Promise<void> {
	const last = join(folder, "package.json");
	if (existsSync(last) && sources().every((it) => isOlder(it, last))) return;
	rmSync(folder, { recursive: true, force: true });
	await writeBundle(bundle, {
		entry: 'export { Test, default } from "tap";',
		plugins: [withoutUnused, quickSame],
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
	const own = [import.meta.url, writer, equalData];
	return [installed, ...own.map((it) => fileURLToPath(it))];
}

function isOlder(file: string, than: string): boolean {
	return statSync(file).mtimeMs < statSync(than).mtimeMs;
}
