/** The speech models of this device, for the API. */
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { InstalledModel } from "../api/openai/models.js";
import { isSpeechPackage } from "../engine/child/recognizers.js";
import { findPackages } from "../models/package/catalogue.js";
import type { ModelPackage } from "../models/package/model-package.js";
import { translates } from "../models/whisper/shape.js";

/** @param model the folder of all models, and the name of the one in use. @throws PackageError */
export async function installedModels(model: {
	readonly dir: string;
	readonly name: string;
}): Promise<readonly InstalledModel[]> {
	const { packages } = await findPackages(model.dir);
	return Promise.all(
		packages
			.filter(isSpeechPackage)
			.map((opened) => described(opened, model.name)),
	);
}

async function described(
	{ folder, manifest }: ModelPackage,
	inUse: string,
): Promise<InstalledModel> {
	const { mtimeMs } = await stat(join(folder, "model.json"));
	const bytes = Object.values(manifest.files).reduce(
		(sum, file) => sum + file.bytes,
		0,
	);
	return {
		name: manifest.name,
		installedSeconds: Math.floor(mtimeMs / 1000),
		source: manifest.source,
		languages: manifest.languages,
		streaming: manifest.kind === "zipformer",
		translates:
			manifest.languages.includes("en-US") &&
			manifest.whisper !== undefined &&
			translates(manifest.whisper),
		active: basename(folder) === inUse,
		megabytes: Math.round(bytes / 1e6),
	};
}
