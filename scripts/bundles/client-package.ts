/**
 * What the npm package of the client (packages/client) consists of: one file for Node, one for browsers, and the types. Run by `npm pack`, in the package's
 * folder, after the sources were compiled.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const compiled = fileURLToPath(
	new URL("../../runtime/client", import.meta.url),
);
const licence = fileURLToPath(new URL("../../../LICENSE", import.meta.url));

rmSync("dist", { recursive: true, force: true });
copyFileSync(licence, "LICENSE");

await build({
	entryPoints: { node: join(compiled, "earshot-client.js") },
	bundle: true,
	format: "esm",
	outdir: "dist",
	legalComments: "none",
	platform: "node",
	target: "node20.15",
	external: ["ws"],
});
await build({
	entryPoints: { browser: join(compiled, "browser.js") },
	bundle: true,
	format: "esm",
	outdir: "dist",
	legalComments: "none",
	platform: "browser",
	target: "es2022",
	minify: true,
});
for (const entry of ["earshot-client.d.ts", "browser.d.ts"]) copyTypes(entry);

/** A file of types, and those that it imports. */
function copyTypes(name: string): void {
	const target = join("dist/types", name);
	mkdirSync(dirname(target), { recursive: true });
	copyFileSync(join(compiled, name), target);
	const imports = readFileSync(target, "utf8").matchAll(
		/from "(\.[^"]+)\.js"/g,
	);
	for (const [, path = ""] of imports)
		copyTypes(join(dirname(name), `${path}.d.ts`));
}
