/** What a second ear would do beside the recognizers that the configuration names. */
import { join } from "node:path";
import type { Config } from "../config/schema.js";
import { loadPackage } from "../models/package/model-package.js";
import { type Language, pairOf } from "../text/languages.js";

export type SecondEarUse =
	/** It also serves wake words. */
	| "texts"
	| "wake words"
	/** It is not opened. */
	| "none";

/** @param name of the second ear's package. Packages that can't be read serve nothing. */
export async function useOfSecondEar(
	{ dir, name: main, by_language }: Config["model"],
	name: string,
): Promise<SecondEarUse> {
	const manifestOf = async (name: string) =>
		(await loadPackage(join(dir, name)).catch(() => undefined))?.manifest;
	const spelled = (await manifestOf(name))?.languages ?? [];
	const serves = (languages: readonly string[]) =>
		languages.some(
			(it) =>
				spelled.includes(it) ||
				pairOf(it as Language)?.some((one) => spelled.includes(one)),
		);
	const recognizers = await Promise.all(
		[main, ...Object.values(by_language)].map(manifestOf),
	);
	// engine/child/open-language-models.ts gives it to Whisper only
	if (recognizers.some((it) => it?.kind === "whisper" && serves(it.languages)))
		return "texts";
	return serves(recognizers[0]?.languages ?? []) ? "wake words" : "none";
}
