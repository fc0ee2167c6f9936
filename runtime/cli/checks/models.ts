/** The model packages that an engine loads: are they there, and byte for byte what they should be? */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
	loadPackage,
	PackageError,
} from "../../models/package/model-package.js";
import { verifyPackage } from "../../models/package/verify.js";
import { broken, type Finding, ok } from "./finding.js";

/**
 * @param name of the recognizer's package.
 * @param optional packages that are loaded where they are there.
 */
export function checkModels(
	directory: string,
	name: string,
	optional: readonly string[] = [],
): Promise<Finding[]> {
	const there = optional.filter((it) => it && existsSync(join(directory, it)));
	return Promise.all(
		[name, "silero-vad", ...there].map((it) => checkPackage(directory, it)),
	);
}

async function checkPackage(directory: string, name: string): Promise<Finding> {
	const about = `model ${name}`;
	try {
		const opened = await loadPackage(join(directory, name));
		await verifyPackage(opened);
		const files = Object.keys(opened.manifest.files).length;
		return ok(about, `${files} files, checksums agree`);
	} catch (error) {
		if (!(error instanceof PackageError)) throw error;
		return broken(
			about,
			error.message,
			"restore it (git checkout models) or choose another one (EARSHOT_MODEL_NAME)",
		);
	}
}
