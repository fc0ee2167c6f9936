/** The model packages in a folder, and the reasons why the others can't be used. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
	loadPackage,
	type ModelPackage,
	PackageError,
} from "./model-package.js";

export interface Catalogue {
	/** Ordered by name. */
	readonly packages: readonly ModelPackage[];
	/** Folders that look like packages but can't be used. */
	readonly broken: readonly { readonly folder: string; readonly why: string }[];
}

/** @throws PackageError when the folder can't be read */
export async function findPackages(directory: string): Promise<Catalogue> {
	const packages: ModelPackage[] = [];
	const broken: { folder: string; why: string }[] = [];
	for (const name of await folders(directory)) {
		const folder = join(directory, name);
		try {
			packages.push(await loadPackage(folder));
		} catch (error) {
			if (!(error instanceof PackageError)) throw error;
			broken.push({ folder, why: error.message });
		}
	}
	return { packages, broken };
}

async function folders(directory: string): Promise<string[]> {
	try {
		const names = await readdir(directory);
		const shown = names.filter((name) => !name.startsWith(".")).sort();
		// a link leads to a package elsewhere: in a container, to those of the image
		const areFolders = await Promise.all(
			shown.map((name) =>
				stat(join(directory, name)).then(
					(found) => found.isDirectory(),
					() => false,
				),
			),
		);
		return shown.filter((_, index) => areFolders[index]);
	} catch {
		throw new PackageError(
			`${directory} is not a folder of models: set model.dir (EARSHOT_MODEL_DIR)`,
		);
	}
}
