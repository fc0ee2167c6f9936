/** The clip that proves that a model works, before requests reach it. */
import { dirname, join } from "node:path";
import {
	loadPackage,
	type ModelPackage,
} from "../../models/package/model-package.js";

/** A clip, and words that a working recognizer recognizes in it. */
export interface Probe {
	readonly path: string;
	readonly language: string;
	/** Empty: the model only has to run, because the clip is in another language. */
	readonly words: readonly string[];
}

/** The package whose clip is used for packages without one. */
export const embeddedModel = "whisper-base";

/** @returns undefined if no clip is installed. */
export async function probeOf({
	folder,
	manifest,
	path,
}: ModelPackage): Promise<Probe | undefined> {
	if (manifest.probe)
		return { ...manifest.probe, path: path(manifest.probe.file) };
	const beside = join(dirname(folder), embeddedModel);
	if (beside === folder) return undefined;
	const embedded = await loadPackage(beside).catch(() => undefined);
	const probe = embedded?.manifest.probe;
	const [language] = manifest.languages;
	if (!embedded || !probe || language === undefined) return undefined;
	const clip = embedded.path(probe.file);
	return manifest.languages.includes(probe.language)
		? { ...probe, path: clip }
		: { path: clip, language, words: [] };
}
