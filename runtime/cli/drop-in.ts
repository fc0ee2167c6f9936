/** Settings that a command writes for the next start: a separate drop-in beside the configuration, written atomically. */
import { access, constants, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dropInFolder, mainFilePath } from "../config/config-files.js";
import { tomlValue } from "../config/document.js";
import { installRoot } from "../config/install-root.js";
import { nearestExisting } from "../disk/nearest-existing.js";
import { writeWhole } from "../disk/whole-file.js";

/** By their keys: `engine.threads`. */
export type Settings = Readonly<
	Record<string, number | string | Readonly<Record<string, string>>>
>;

export function dropInPath(name: string): string {
	const { path } = mainFilePath(process.env, installRoot);
	return join(dropInFolder(path), name);
}

/** For a command that works for minutes before it writes one. @returns undefined where this user may write it */
export async function whyNotWritable(
	name: string,
): Promise<string | undefined> {
	const folder = dirname(dropInPath(name));
	try {
		const nearest = await nearestExisting(folder);
		await access(nearest, constants.W_OK | constants.X_OK);
		return undefined;
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		return `${folder} can't be written (${code ?? message})`;
	}
}

/** @returns its path. */
export async function writeDropIn(
	name: string,
	comment: string,
	settings: Settings,
): Promise<string> {
	const path = dropInPath(name);
	await mkdir(dirname(path), { recursive: true });
	await writeWhole(path, dropInText(comment, settings));
	return path;
}

export function dropInText(comment: string, settings: Settings): string {
	const sections = new Map<string, string[]>();
	for (const [key, value] of Object.entries(settings)) {
		const [section = "", name = ""] = key.split(".");
		const line = `${name} = ${tomlValue(value)}`;
		sections.set(section, [...(sections.get(section) ?? []), line]);
	}
	const tables = [...sections].map(
		([section, lines]) => `\n[${section}]\n${lines.join("\n")}\n`,
	);
	return `# ${comment}\n${tables.join("")}`;
}
