/** A reader who follows a link of the documentation arrives: the file is there, and so is the heading. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import t from "tap";

const pages = [
	...["README.md", "BENCHMARKS.md", "CHANGELOG.md"],
	...markdownIn("docs"),
	...markdownIn("docs/benchmarks"),
];

for (const page of pages)
	t.test(`every relative link of ${page} leads somewhere`, async (t) => {
		for (const [, link = ""] of proseOf(page).matchAll(/\]\(([^()\s]+)\)/g)) {
			if (/^[a-z]+:/.test(link)) continue;
			const [path = "", heading] = link.split("#");
			const target = path === "" ? page : join(dirname(page), path);
			if (!t.ok(existsSync(target), link)) continue;
			if (heading !== undefined)
				t.ok(headingsOf(target).includes(heading), link);
		}
	});

function markdownIn(folder: string): readonly string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith(".md"))
		.map((name) => join(folder, name));
}

/** What of a page is no example of code. */
function proseOf(page: string): string {
	return readFileSync(page, "utf8").replace(/^```[\s\S]*?^```/gm, "");
}

/** Headings as GitHub names them in addresses. */
function headingsOf(page: string): readonly string[] {
	return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
		title
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, "")
			.replaceAll(" ", "-"),
	);
}
