/** The documentation as a web site (scripts/site): its pages, and, where its generator is installed or may be, the site itself. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { siteOf } from "../../scripts/documentation/site-pages.js";
import { filesUnder, linksIn, pagesOfRepository } from "./pages.js";

t.test("every page is there, and links lead to what is", async (t) => {
	const { pages, files, sidebar } = siteOf();
	const wanted = pagesOfRepository().map((it) =>
		it.replace(/README\.md$/, "index.md"),
	);
	t.same(
		wanted.filter((it) => !pages.has(it)),
		[],
	);
	for (const [page, text] of pages)
		for (const target of linksIn(text)) {
			const [path = ""] = target.split("#");
			const isThere =
				path === "" ||
				/^\w+:/.test(target) ||
				pages.has(join(dirname(page), path)) ||
				files.has(path.slice(1));
			t.ok(isThere, `${page}: ${target}`);
		}
	const linked = sidebar.flatMap(({ items }) => items);
	t.ok(linked.length > 30);
	for (const { link } of linked)
		t.ok(
			pages.has(`${link.slice(1)}.md`) || pages.has(`${link.slice(1)}index.md`),
			link,
		);
});

t.test("code is linked to where it can be read, if anywhere", async (t) => {
	const at = (source?: string) =>
		siteOf(source).pages.get("docs/architecture.md") ?? "";
	t.match(
		at("https://host/blob/main/"),
		"](https://host/blob/main/runtime/appliance.ts)",
	);
	t.notMatch(at(), /\]\([^)]*\.ts\)/);
	t.match(at(), "`runtime/appliance`");
});

const generator = "packages/site/node_modules/vitepress";
const { EARSHOT_TEST_FRAMEWORKS } = process.env;
const skip =
	!existsSync(generator) &&
	!EARSHOT_TEST_FRAMEWORKS &&
	"no VitePress: EARSHOT_TEST_FRAMEWORKS=1 installs it (100 MB)";
if (skip) console.error(`skipped: ${skip}`);

t.test("the site, built without a network", { skip }, async (t) => {
	mkdirSync("dist", { recursive: true });
	await promisify(execFile)("scripts/site", ["--base", "/earshot/"], {
		env: { ...process.env, npm_config_offline: String(existsSync(generator)) },
	});
	const made = filesUnder("dist/site");
	const html = made.filter((it) => it.endsWith(".html"));
	t.ok(html.length >= pagesOfRepository().length, `${html.length} pages`);
	const ids = new Map<string, Set<string>>();
	for (const file of html) {
		const found = readFileSync(file, "utf8").matchAll(/ id="([^"]+)"/g);
		ids.set(file, new Set(Array.from(found, ([, id = ""]) => id)));
	}
	let anchors = 0;
	for (const file of html) {
		const text = readFileSync(file, "utf8");
		t.notMatch(text, /<(script|link|img)[^>]+(src|href)="(https?:)?\/\//, file);
		const here = new URL(file, "http://site/");
		for (const [, href = ""] of text.matchAll(/ href="([^"]*#[^"]+)"/g)) {
			const { host, pathname, hash } = new URL(
				href.replace(/^\/earshot\//, "/dist/site/"),
				here,
			);
			if (host !== "site") continue;
			anchors++;
			const page = pathname.slice(1).replace(/\/$/, "/index.html");
			const id = decodeURIComponent(hash.slice(1));
			t.ok(ids.get(page)?.has(id), `${file}: ${href}`);
		}
	}
	t.ok(anchors > 100, `${anchors} links to headings`);
});
