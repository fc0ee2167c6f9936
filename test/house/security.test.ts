/** What docs/security.md promises is held by tests that exist. */
import { existsSync, readFileSync } from "node:fs";
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
