/** The model packages that an appliance uses: what `models remove` refuses, `models list` marks and `doctor` checks are the same. */
import { join } from "node:path";
import type { Config } from "../config/schema.js";
import { embeddedModel } from "../engine/child/probe.js";
import { loadPackage } from "../models/package/model-package.js";

export interface PackageInUse {
	/** Of its folder in `model.dir`. */
	readonly name: string;
	/** What names it, for people. */
	readonly use:
		| "model.name"
		| "model.by_language"
		| "model.segmentation"
		| "model.second_ear"
		| "model.speakers"
		| "voice activity"
		| "probe clip";
}

/** @returns each package once, whether it is installed or not; that of the recognizer first. */
export async function packagesInUse(
	model: Config["model"],
): Promise<readonly PackageInUse[]> {
	const all: readonly PackageInUse[] = [
		{ name: model.name, use: "model.name" },
		...Object.values(model.by_language).map(
			(name) => ({ name, use: "model.by_language" }) as const,
		),
		{ name: "silero-vad", use: "voice activity" }, // every engine needs it
		{ name: model.segmentation, use: "model.segmentation" },
		{ name: model.second_ear, use: "model.second_ear" },
		{ name: model.speakers, use: "model.speakers" },
		...((await borrowsClip(model))
			? [{ name: embeddedModel, use: "probe clip" } as const]
			: []),
	];
	return all.filter(
		({ name }, at) =>
			name !== "" && all.findIndex((it) => it.name === name) === at,
	);
}

/** Whether the recognizer is proved by another package's clip, without which no engine is ready. */
async function borrowsClip({ dir, name }: Config["model"]): Promise<boolean> {
	const opened = await loadPackage(join(dir, name)).catch(() => undefined);
	return opened !== undefined && !opened.manifest.probe;
}
