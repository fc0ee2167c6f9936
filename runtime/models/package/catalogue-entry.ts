/**
 * One model of a catalogue: where its files are, what must be in them, and what a person needs to know to choose it. Edition 2 of the format has what
 * `models search` and `models recommend` show, and files whose checksum nobody published; edition 1 is still read.
 */
import { type Static, Type } from "@sinclair/typebox";
import { modelKinds } from "../kinds.js";
import { packageNamePattern } from "../package-name.js";

const sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const bytes = Type.Integer({ minimum: 0, maximum: 64 * 1024 ** 3 });
const url = Type.String({ minLength: 1, maxLength: 2000 });
const text = Type.String({ maxLength: 2000 });

const fileSchema = Type.Object({
	name: Type.String({
		pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$",
		maxLength: 200,
	}),
	/** May be relative to the catalogue. Absent: the file is in the entry's archive. */
	url: Type.Optional(url),
	/** Absent where it is not publicly known, or the archive's covers it. */
	sha256: Type.Optional(sha256),
	bytes: Type.Optional(bytes),
});

/** A published archive, which may also contain other files. */
const archiveSchema = Type.Object({
	url,
	sha256: Type.Optional(sha256),
	bytesMax: Type.Integer({ minimum: 1, maximum: 64 * 1024 ** 3 }),
});

/** What the licence means for who uses the model. */
const licensingSchema = Type.Object({
	/** In plain words: "may be used commercially; name NVIDIA and the model". */
	summary: text,
	commercial: Type.Union([
		Type.Literal("yes"),
		Type.Literal("no"),
		Type.Literal("with conditions"),
	]),
	/** A line that has to go with the model; it is written into the package as NOTICE. */
	attribution: Type.Optional(text),
	/** Whoever adds the model has to agree first. */
	mustAccept: Type.Optional(Type.Boolean()),
});

/** A published error rate, in per cent. */
const errorRateSchema = Type.Object({
	language: Type.String({ maxLength: 40 }),
	set: Type.String({ maxLength: 100 }),
	measure: Type.Union([Type.Literal("CER"), Type.Literal("WER")]),
	percent: Type.Number({ minimum: 0, maximum: 1000 }),
	source: text,
});

export const entrySchema = Type.Object({
	name: Type.String({ pattern: packageNamePattern, maxLength: 100 }),
	licence: Type.String({ maxLength: 200 }),
	source: text,
	languages: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
	/** Which kind of package a published model becomes; default: the speech recognizer that its graphs are. */
	kind: Type.Optional(
		Type.Union(modelKinds.map((it) => Type.Literal(it.name))),
	),
	archive: Type.Optional(archiveSchema),
	files: Type.Array(fileSchema, { minItems: 1, maxItems: 100 }),
	/** A clip of speech among the files. */
	probe: Type.Optional(
		Type.Object({
			file: Type.String(),
			language: Type.String(),
			words: Type.Array(Type.String(), { minItems: 1 }),
		}),
	),
	/** The files are Whisper's weights: they are converted to a package. */
	convert: Type.Optional(Type.Boolean()),
	/** Version of the weights as a date, `2024-07-17`: a later one makes installed packages outdated. */
	edition: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
	/** One line: what it is good at. */
	about: Type.Optional(text),
	licensing: Type.Optional(licensingSchema),
	/** Where the checksums come from. */
	checksums: Type.Optional(text),
	/** On the disk, as a package. */
	megabytes: Type.Optional(Type.Number({ minimum: 0 })),
	/** Of an engine with the model. */
	memoryMegabytes: Type.Optional(Type.Number({ minimum: 0 })),
	/** Billions of multiplications for a second of speech. */
	gigaMultiplications: Type.Optional(Type.Number({ minimum: 0 })),
	/** Partials cost only what is new. */
	streaming: Type.Optional(Type.Boolean()),
	errors: Type.Optional(Type.Array(errorRateSchema, { maxItems: 100 })),
});

export type CatalogueFile = Static<typeof fileSchema>;
export type CatalogueEntry = Static<typeof entrySchema>;

/** Whether every byte that is installed was known when the catalogue was written. */
export function isPinned({ archive, files }: CatalogueEntry): boolean {
	return (
		archive?.sha256 !== undefined ||
		files.every((it) => it.sha256 !== undefined)
	);
}

/** @returns bytes to download, as far as they are known. */
export function downloadBytes({ archive, files }: CatalogueEntry): number {
	if (archive) return archive.bytesMax;
	return files.reduce((sum, it) => sum + (it.bytes ?? 0), 0);
}
