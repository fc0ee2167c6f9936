/** Compares the files of a package with the checksums in its manifest. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { type ModelPackage, PackageError } from "./model-package.js";

/** @param onBytes for a progress bar. @throws PackageError naming the first file that differs. */
export async function verifyPackage(
	opened: ModelPackage,
	onBytes: (bytes: number) => void = () => {},
): Promise<void> {
	for (const [file, { sha256 }] of Object.entries(opened.manifest.files)) {
		const found = await sha256OfFile(opened.path(file), onBytes);
		if (found !== sha256)
			throw new PackageError(
				`${basename(opened.folder)}: ${file} was altered (sha256 ${found.slice(0, 12)}..., expected ${sha256.slice(0, 12)}...); fetch the package again`,
			);
	}
}

export async function sha256OfFile(
	path: string,
	onBytes: (bytes: number) => void = () => {},
): Promise<string> {
	const hash = createHash("sha256");
	for await (const chunk of createReadStream(path, {
		highWaterMark: 1024 * 1024,
	})) {
		hash.update(chunk);
		onBytes(chunk.length);
	}
	return hash.digest("hex");
}
