/** V8 takes the code that was compiled in advance. It does not say so where it doesn't, and every start then takes twice the processor time. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";

const loader = resolve("build/runtime/process/compiled-bundle.js");

function wasCompiled(bundle: string): boolean {
	const script = `
import { loadBundle } from ${JSON.stringify(pathToFileURL(loader).href)};
console.log(loadBundle(${JSON.stringify(pathToFileURL(resolve(bundle)).href)}).wasCompiled);
process.exit(0);`;
	const { NODE_OPTIONS: _, ...env } = process.env; // flags of its own would need code of its own
	return (
		execFileSync(process.execPath, ["--input-type=module", "-e", script], {
			encoding: "utf8",
			env,
		}).trim() === "true"
	);
}

for (const bundle of [
	"build/program/earshot.cjs",
	"build/check-store/check-store.cjs",
])
	t.test(`${bundle} starts with code that was compiled in advance`, (t) => {
		t.ok(existsSync(bundle), "scripts/prepare makes it");
		t.equal(wasCompiled(bundle), true);
		t.end();
	});
