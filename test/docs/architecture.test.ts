/**
 * Pages that say where something is: a link whose words are code (`AudioFeed.write`) leads to a file that has these names, and docs/architecture.md has every
 * folder, and every package with the file that uses it; docs/README.md has every page.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import t from "tap";
import { pagesOfRepository, textOf } from "./pages.js";

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

t.test("every package is where its line says", async (t) => {
	const rows = architecture.split("\n").filter((it) => it.startsWith("| `"));
	const { dependencies } = JSON.parse(textOf("package.json")) as {
		readonly dependencies: Readonly<Record<string, string>>;
	};
	for (const name of Object.keys(dependencies)) {
		const row = rows.find((it) => it.split("|")[1]?.includes(`\`${name}\``));
		const files = [...(row ?? "").matchAll(/\]\(([^)]+)\)/g)].map(
			([, path = ""]) => textOf(join("docs", path)),
		);
		const isDocumented =
			files.length === 0 || files.some((it) => it.includes(name));
		t.ok(row !== undefined && isDocumented, name);
	}
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
