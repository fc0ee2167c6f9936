/** The speech models of this device, for the API. */
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { InstalledModel } from "../api/openai/models.js";
import type { Config } from "../config/schema.js";
import { isSpeechPackage } from "../engine/child/recognizers.js";
import type { LanguageModelState } from "../engine/protocol.js";
import { modelKindOf } from "../models/kinds.js";
import { bytesOf } from "../models/manifest.js";
import { findPackages } from "../models/package/catalogue.js";
import type { ModelPackage } from "../models/package/model-package.js";
import { translates } from "../models/whisper/shape.js";

/**
 * @param model the configuration's part about models.
 * @param states of the models for single languages, as the engine reports them.
 * @throws PackageError
 */
export async function installedModels(
	model: Pick<Config["model"], "dir" | "name">,
	states: readonly LanguageModelState[],
): Promise<readonly InstalledModel[]> {
	const { packages } = await findPackages(model.dir);
	const working = states.filter((it) => it.state !== "failed");
	const taken = working.flatMap((it) => it.languages);
	return Promise.all(
		packages.filter(isSpeechPackage).map(async (opened) => {
			const { name, languages } = opened.manifest;
			const active = basename(opened.folder) === model.name;
			const serves = active
				? languages.filter((it) => !taken.some((other) => other === it))
				: (working.find((it) => it.name === name)?.languages ?? []);
			return { ...(await described(opened)), active, serves };
		}),
	);
}

async function described({
	folder,
	manifest,
}: ModelPackage): Promise<Omit<InstalledModel, "active" | "serves">> {
	const { mtimeMs } = await stat(join(folder, "model.json"));
	return {
		name: manifest.name,
		installedSeconds: Math.floor(mtimeMs / 1000),
		source: manifest.source,
		languages: manifest.languages,
		streaming: modelKindOf(manifest.kind).isStreaming ?? false,
		translates:
			manifest.languages.includes("en-US") &&
			manifest.whisper !== undefined &&
			translates(manifest.whisper),
		megabytes: Math.round(bytesOf(manifest) / 1e6),
	};
}
