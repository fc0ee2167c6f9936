/** What docs/security.md promises is held by tests that exist, and what it points to is there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";

const page = readFileSync("docs/security.md", "utf8");

t.test("every promise names a test that exists", async (t) => {
	const promises = page
		.split("\n")
		.filter((it) => it.startsWith("|") && it.includes("`test/"));
	t.ok(promises.length >= 20, `${promises.length} promises`);
	for (const file of page.match(/test\/[\w/-]+\.test\.ts/g) ?? [])
		t.ok(existsSync(file), file);
});

t.test("every link leads to a page and a heading", async (t) => {
	const links = [...page.matchAll(/\]\(([\w./-]+\.md)(#[\w-]+)?\)/g)];
	t.ok(links.length > 0);
	for (const [link, path = "", heading] of links) {
		const there = readFileSync(join("docs", path), "utf8");
		const headings = [...there.matchAll(/^#+ (.+)$/gm)].map(
			([, text = ""]) =>
				`#${text
					.toLowerCase()
					.replace(/[^\w -]/g, "")
					.replaceAll(" ", "-")}`,
		);
		t.ok(heading === undefined || headings.includes(heading), link);
	}
});
