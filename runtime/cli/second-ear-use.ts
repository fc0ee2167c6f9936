/** What a second ear would do beside the recognizers that the configuration names. */
import { join } from "node:path";
import type { Config } from "../config/schema.js";
import { loadPackage } from "../models/package/model-package.js";
import { languages, pairOf } from "../text/languages.js";

export type SecondEarUse =
	/** It also serves wake words. */
	| "texts"
	| "wake words"
	/** It is not opened. */
	| "none"
	/** A package can't be read, as others say. */
	| "unknown";

/** @param name of the second ear's package. */
export async function useOfSecondEar(
	{ dir, name: main, by_language }: Config["model"],
	name: string,
): Promise<SecondEarUse> {
	const manifestOf = async (name: string) =>
		(await loadPackage(join(dir, name)).catch(() => undefined))?.manifest;
	const spelled = (await manifestOf(name))?.languages;
	const own = await manifestOf(main);
	if (!spelled || !own) return "unknown";
	const spoken = languages.filter(
		(it) =>
			spelled.includes(it) || pairOf(it)?.some((one) => spelled.includes(one)),
	);
	for (const language of spoken) {
		const chosen = by_language[language];
		if (chosen === undefined && !own.languages.includes(language)) continue;
		const recognizer = chosen === undefined ? own : await manifestOf(chosen);
		if (!recognizer) return "unknown";
		// engine/child/open-language-models.ts gives it to Whisper only
		if (recognizer.kind === "whisper") return "texts";
	}
	return spoken.some((it) => own.languages.includes(it))
		? "wake words"
		: "none";
}
