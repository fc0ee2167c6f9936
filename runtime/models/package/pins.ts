/**
 * Checksums of files for which a catalogue has none: what was computed when somebody accepted them for the first time. The file lies beside the packages, and is
 * copied to other devices so that they accept the same files only.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { writeWhole } from "../../disk/whole-file.js";
import { fits } from "../../json/json-schema.js";
import { PackageError } from "./model-package.js";

const pinsSchema = Type.Object({
	schema: Type.Literal(1),
	/** sha256 by model and by file. */
	models: Type.Record(
		Type.String(),
		Type.Record(Type.String(), Type.String({ pattern: "^[0-9a-f]{64}$" })),
	),
});

type Pins = Static<typeof pinsSchema>;
/** sha256 by file. */
export type ModelPins = Readonly<Record<string, string>>;

export const pinsName = "pins.json";
const bytesMax = 1024 * 1024;

/** @param directory the folder of models. @throws PackageError */
export async function pinsOf(
	directory: string,
	model: string,
): Promise<ModelPins> {
	return (await read(join(directory, pinsName))).models[model] ?? {};
}

/** Replaces what was known of the model. @throws PackageError */
export async function keepPins(
	directory: string,
	model: string,
	pins: ModelPins,
): Promise<void> {
	const path = join(directory, pinsName);
	const { schema, models } = await read(path);
	const all: Pins = { schema, models: { ...models, [model]: { ...pins } } };
	await writeWhole(path, `${JSON.stringify(all, null, "\t")}\n`);
}

/** Takes over another device's, which then apply here as well. @returns the models' names. @throws PackageError */
export async function adoptPins(
	directory: string,
	from: string,
): Promise<string[]> {
	const { models } = await read(from, true);
	for (const [model, pins] of Object.entries(models))
		await keepPins(directory, model, pins);
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
