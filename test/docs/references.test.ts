/** What a page links to, what a comment cites, and which files a page names: all of it is there. */
import { existsSync, readFileSync } from "node:fs";
import t from "tap";
import {
	brokenCitation,
	brokenLink,
	citationsIn,
	filesUnder,
	linksIn,
	pagesOfRepository,
	pathsIn,
	textOf,
} from "./pages.js";

const pages = pagesOfRepository();
const sourceFolders = [
	"runtime",
	"drivers",
	"scripts",
	"test",
	"config",
	"systemd",
];
/** Programs, tables and units; not clips, models and what was built. */
const sourceEnding = /\.(ts|js|mjs|cjs|py|c|h|cpp|sh|toml|service|conf|json)$/;

t.test("every link of a page leads to a file and a heading", async (t) => {
	const links = pages.flatMap((page) =>
		linksIn(textOf(page)).map((target) => ({ page, target })),
	);
	t.ok(links.length > 100, `${links.length} links`);
	t.same(
		links.flatMap(({ page, target }) => brokenLink(page, target) ?? []),
		[],
	);
});

t.test("every page and section that is cited exists", async (t) => {
	const files = [...pages, ...sources()];
	const citations = files.flatMap((by) =>
		citationsIn(readFileSync(by, "utf8")).map((it) => ({ by, it })),
	);
	t.ok(citations.length > 100, `${citations.length} citations`);
	t.same(
		citations.flatMap(({ by, it }) => brokenCitation(by, it) ?? []),
		[],
	);
});

t.test("every file that a page names exists", async (t) => {
	const named = pages.flatMap((page) =>
		pathsIn(textOf(page)).map((path) => ({ page, path })),
	);
	t.ok(named.length > 100, `${named.length} paths`);
	t.same(
		named
			.filter(({ path }) => !existsSync(path))
			.map(({ page, path }) => `${page}: ${path}`),
		[],
	);
});

t.test(
	"a link, a citation and a path that lead nowhere are found",
	async (t) => {
		const page = "docs/live.md";
		const text =
			"[a](gone.md) [b](files.md#gone) [c](files.md#callbacks) [d](#one-session) `[e](gone.md)`";
		t.same(
			linksIn(text).filter((it) => brokenLink(page, it)),
			["gone.md", "files.md#gone"],
		);
		const comment =
			"/**\n * As docs/interface.md sections 4.1, 4.9\n * and 11 say, and\n * docs/interface.md\n * section 2.5; docs/gone.md\n */";
		t.same(
			citationsIn(comment).flatMap((it) => brokenCitation("x.ts", it) ?? []),
			[
				"x.ts: docs/interface.md has no section 4.9, 11",
				"x.ts: there is no page docs/gone.md",
			],
		);
		t.same(
			pathsIn(
				"`runtime/gone.ts`, ./scripts/test, test/docs/*.ts, /opt/test/x.",
			),
			["runtime/gone.ts", "scripts/test", "test/docs"],
		);
	},
);

function sources(): string[] {
	const notices = filesUnder("models").filter((it) => it.endsWith("NOTICE"));
	const own = "test/docs/references.test.ts"; // cites what is not there
	const programs = sourceFolders
		.flatMap(filesUnder)
		.filter((it) => sourceEnding.test(it) || !/\.[a-z0-9]+$/.test(it))
		.filter((it) => it !== own && !it.includes("node_modules/"));
	return [...programs, ...notices];
}
