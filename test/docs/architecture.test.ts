/**
 * Pages that say where something is: a link whose words are code (`AudioFeed.write`) leads to a file that has these names, and docs/architecture.md has every
 * folder, and every package with the files that use it; docs/README.md has every page.
 */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import t from "tap";
import { filesUnder, pagesOfRepository, textOf } from "./pages.js";

const architecture = textOf("docs/architecture.md");

t.test("what a link calls code is in the file that it leads to", async (t) => {
	const links = pagesOfRepository().flatMap(namedLinks);
	t.ok(links.length > 100, `${links.length} links`);
	t.same(
		links.filter(({ file, name }) => !hasName(file, name)),
		[],
	);
	t.ok(hasName("test/docs/pages.ts", "linksIn"));
	t.notOk(hasName("test/docs/pages.ts", "linksInside"));
});

t.test("every folder has its line", async (t) => {
	const folders = ["runtime", "runtime/api", "drivers"].flatMap((root) =>
		readdirSync(root, { withFileTypes: true })
			.filter((it) => it.isDirectory())
			.map(({ name }) => `${root}/${name}`),
	);
	t.same(
		folders.filter((it) => !architecture.includes(`\n| \`${it}\` `)),
		[],
	);
});

t.test("every page is in the index of its readers", async (t) => {
	const index = textOf("docs/README.md");
	t.same(
		pagesOfRepository()
			.filter((it) => it.startsWith("docs/") && it !== "docs/README.md")
			.filter((it) => !index.includes(`](${it.slice("docs/".length)})`)),
		[],
	);
});

t.test("every file that uses a package is in its line", async (t) => {
	const rows = architecture.split("\n").filter((it) => it.startsWith("| `"));
	const sources = ["runtime", "drivers"]
		.flatMap(filesUnder)
		.filter((it) => /\.tsx?$/.test(it));
	const { dependencies } = JSON.parse(textOf("package.json")) as {
		readonly dependencies: Readonly<Record<string, string>>;
	};
	for (const name of Object.keys(dependencies)) {
		const row = rows.find((it) => it.split("|")[1]?.includes(`\`${name}\``));
		const places = placesIn(row?.split("|")[2] ?? "");
		t.same(
			sources.filter(
				(it) => imports(it, name) && !places.some((at) => it.startsWith(at)),
			),
			[],
			name,
		);
		t.ok(row, `${name} has a line`);
	}
	t.ok(imports("runtime/api/metrics/endpoints.ts", "prom-client"));
	t.notOk(imports("runtime/api/metrics/lanes.ts", "prom-client"));
});

function namedLinks(page: string) {
	return [...textOf(page).matchAll(/\[`([\w.]+)`\]\(([^)#]+)\)/g)]
		.map(([, code = "", path = ""]) => ({
			file: join(dirname(page), path),
			names: code.split("."),
		}))
		.filter(({ file }) => /\.(ts|c|h)$/.test(file) && existsSync(file))
		.flatMap(({ file, names }) => names.map((name) => ({ page, file, name })));
}

function hasName(file: string, name: string): boolean {
	return new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(textOf(file));
}

/** Files, and folders with a slash at their end: those of links that are not called as their file is, or that stand for the files beside it. "": anywhere. */
function placesIn(cell: string): string[] {
	const links = [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(
		([, label = "", path = ""]) => ({ label, file: join("docs", path) }),
	);
	if (links.length === 0) return [""];
	return links.map(({ label, file }) =>
		label === basename(file) && !cell.includes("files beside it")
			? file
			: `${dirname(file)}/`,
	);
}

function imports(file: string, name: string): boolean {
	return modulesOf(file).some((it) => it === name || it.startsWith(`${name}/`));
}

const modules = new Map<string, readonly string[]>();

/** What a source imports, relative paths not among it. */
function modulesOf(file: string): readonly string[] {
	const found =
		modules.get(file) ??
		Array.from(
			textOf(file).matchAll(
				/\b(?:from|import|require|resolve)\s*\(?\s*"([^"./][^"]*)"/g,
			),
			([, name = ""]) => name,
		);
	modules.set(file, found);
	return found;
}
