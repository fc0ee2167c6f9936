/** Writes the pages of the documentation's web site. Usage: node build/scripts/documentation/write-site.js FOLDER [SOURCE_URL] */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { siteOf } from "./site-pages.js";

const [folder = "", source] = process.argv.slice(2);
const { pages, files, sidebar } = siteOf(source);
rmSync(folder, { recursive: true, force: true });
const write = (path: string, text: string) => {
	const target = join(folder, path);
	mkdirSync(dirname(target), { recursive: true });
	writeFileSync(target, text);
};
for (const [path, text] of pages) write(path, text);
for (const path of files)
	cpSync(path, join(folder, "public", path), { recursive: true });
write("sidebar.json", JSON.stringify(sidebar));
