/** The end of a recipe of one graph: the package's files, its manifest, and whether they are the same as before. */
import { createHash } from "node:crypto";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { modelParts } from "../../runtime/models/convert/onnx-file.js";
import type { Manifest } from "../../runtime/models/manifest.js";

/** Written by hand, and kept in the repository's own package. */
const kept = ["LICENSE", "NOTICE"];

/** @param file the graph's name in the package. @param manifestWith makes the manifest around the files' checksums. */
export function writePackage(
	to: string,
	file: string,
	graph: Parameters<typeof modelParts>[0],
	manifestWith: (files: Manifest["files"]) => Manifest,
): void {
	const manifestPath = join(to, "model.json");
	const before = existsSync(manifestPath) && readFileSync(manifestPath, "utf8");
	const bytes = Buffer.concat([...modelParts(graph)].map((it) => it.bytes));
	mkdirSync(to, { recursive: true });
	writeFileSync(join(to, file), bytes);
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	const manifest = manifestWith({ [file]: { sha256, bytes: bytes.length } });
	for (const name of kept)
		if (!existsSync(join(to, name)))
			copyFileSync(join("models", manifest.name, name), join(to, name));
	const text = `${JSON.stringify(manifest, null, "\t")}\n`;
	writeFileSync(manifestPath, text);
	process.stdout.write(
		`${to}: good${before ? `, ${before === text ? "the same as before" : "DIFFERENT from before"}` : ""}\n`,
	);
}
