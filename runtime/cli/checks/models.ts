/** Checks of the model packages that an engine loads: do they exist, and do the checksums match? */
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
 * @param optional packages that are loaded if they exist.
 */
export function checkModels(
	directory: string,
	name: string,
	optional: readonly string[] = [],
): Promise<Finding[]> {
	const present = optional.filter(
		(it) => it && existsSync(join(directory, it)),
	);
	return Promise.all(
		[name, "silero-vad", ...present].map((it) => checkPackage(directory, it)),
	);
}

async function checkPackage(directory: string, name: string): Promise<Finding> {
	const about = `model ${name}`;
	try {
		const opened = await loadPackage(join(directory, name));
		await verifyPackage(opened);
		const files = Object.keys(opened.manifest.files).length;
		return ok(about, `${files} files, checksums match`);
	} catch (error) {
		if (!(error instanceof PackageError)) throw error;
		return broken(
			about,
			error.message,
			"restore it (git checkout models) or choose another one (EARSHOT_MODEL_NAME)",
		);
	}
}
