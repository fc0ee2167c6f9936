/**
 * Checksums of files for which a catalogue has none: what was computed when somebody accepted them for the first time. The file lies beside the packages, and is
 * copied to other devices so that they accept the same files only. They count for the edition that was accepted: a newer one has other files.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { writeWhole } from "../../disk/whole-file.js";
import { fits } from "../../json/json-schema.js";
import type { CatalogueEntry } from "./catalogue-entry.js";
import { PackageError } from "./model-package.js";

const pinsSchema = Type.Object({
	schema: Type.Literal(1),
	/** sha256 by model and by file. */
	models: Type.Record(
		Type.String(),
		Type.Record(Type.String(), Type.String({ pattern: "^[0-9a-f]{64}$" })),
	),
	/** Of which edition they are, by model; absent where the catalogue did not say. */
	editions: Type.Optional(Type.Record(Type.String(), Type.String())),
});

type Pins = Static<typeof pinsSchema>;
/** sha256 by file. */
export type ModelPins = Readonly<Record<string, string>>;

export const pinsName = "pins.json";
const bytesMax = 1024 * 1024;

type Edition = Pick<CatalogueEntry, "name" | "edition">;

/** @param directory the folder of models. @returns none for a newer edition than the accepted one. @throws PackageError */
export async function pinsOf(
	directory: string,
	{ name, edition }: Edition,
): Promise<ModelPins> {
	const { models, editions = {} } = await read(join(directory, pinsName));
	const accepted = editions[name];
	const isNewer =
		accepted !== undefined && edition !== undefined && edition > accepted;
	return isNewer ? {} : (models[name] ?? {});
}

/** Replaces what was known of the model. @throws PackageError */
export async function keepPins(
	directory: string,
	{ name, edition }: Edition,
	pins: ModelPins,
): Promise<void> {
	const path = join(directory, pinsName);
	const { schema, models, editions } = await read(path);
	const { [name]: _, ...others } = editions ?? {};
	const all: Pins = {
		schema,
		models: { ...models, [name]: { ...pins } },
		editions: edition === undefined ? others : { ...others, [name]: edition },
	};
	await writeWhole(path, `${JSON.stringify(all, null, "\t")}\n`);
}

/** Takes over another device's, which then apply here as well. @returns the models' names. @throws PackageError */
export async function adoptPins(
	directory: string,
	from: string,
): Promise<string[]> {
	const { models, editions = {} } = await read(from, true);
	for (const [name, pins] of Object.entries(models)) {
		const edition = editions[name];
		await keepPins(directory, { name, ...(edition && { edition }) }, pins);
	}
	return Object.keys(models);
}

async function read(path: string, mustExist = false): Promise<Pins> {
	let text: string;
	try {
		text = await readFile(path, "utf8");
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" && !mustExist) return { schema: 1, models: {} };
		throw new PackageError(`${path} can't be read: ${message}`);
	}
	try {
		const parsed: unknown = text.length <= bytesMax && JSON.parse(text);
		if (fits(pinsSchema, parsed)) return parsed;
	} catch {}
	throw new PackageError(
		`${path} does not contain checksums of models: restore it, or remove it to accept them anew`,
	);
}
