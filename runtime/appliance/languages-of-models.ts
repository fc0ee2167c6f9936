/** The languages that an appliance accepts from its start on: those of the models that its configuration names. */
import { join } from "node:path";
import type { Config } from "../config/schema.js";
import {
	type ServingModel,
	servedLanguages,
} from "../engine/served-languages.js";
import { loadPackage } from "../models/package/model-package.js";
import type { Language } from "../text/languages.js";

/** @throws PackageError without a main model; of others that are not there or damaged the engine says what is wrong. */
export async function languagesOfModels({
	dir,
	name,
	by_language,
}: Pick<Config["model"], "dir" | "name" | "by_language">): Promise<
	readonly Language[]
> {
	const main = await languagesOf(join(dir, name));
	const named = new Map<string, Language[]>();
	for (const [language, other] of Object.entries(by_language))
		named.set(other, [...(named.get(other) ?? []), language as Language]);
	const others: ServingModel[] = [];
	for (const [other, wanted] of named) {
		const knows = await languagesOf(join(dir, other)).catch(
			(): readonly Language[] => [],
		);
		others.push({ named: wanted.filter((it) => knows.includes(it)), knows });
	}
	return servedLanguages({ main, others });
}

/** @throws PackageError */
async function languagesOf(folder: string): Promise<readonly Language[]> {
	const { manifest } = await loadPackage(folder);
	return manifest.languages as readonly Language[];
}
