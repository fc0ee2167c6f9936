/**
 * The models that can be fetched by name: a signed catalogue (ed25519 over the file's bytes, base64 in a file beside it, `.sig`) with the checksums of
 * their files. It is not used before its signature is verified, nor if a newer edition was seen before.
 */
import { type KeyObject, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { writeWhole } from "../../disk/whole-file.js";
import {
	keyBytes,
	publicKeyOf,
	signatureBytes,
} from "../../download/ed25519.js";
import { fits, whyNot } from "../../json/json-schema.js";
import { entrySchema } from "./catalogue-entry.js";
import { PackageError } from "./model-package.js";

const catalogueSchema = Type.Object({
	schema: Type.Union([Type.Literal(1), Type.Literal(2)]),
	/** Increases with every edition. */
	serial: Type.Integer({ minimum: 1 }),
	/** Where servers may redirect to for files without a checksum. */
	redirectHosts: Type.Optional(
		Type.Array(Type.String({ maxLength: 253 }), { maxItems: 100 }),
	),
	models: Type.Array(entrySchema, { maxItems: 10_000 }),
});

export type SignedCatalogue = Static<typeof catalogueSchema>;

/**
 * @param text the catalogue's bytes. @param signature base64. @param key the signer's public key: 32 bytes in base64.
 * @throws PackageError
 */
export function readCatalogue(
	text: Uint8Array,
	signature: string,
	key: string,
): SignedCatalogue {
	const signed = Buffer.from(signature.trim(), "base64");
	if (
		signed.length !== signatureBytes ||
		!verify(null, text, catalogueKey(key), signed)
	)
		throw new PackageError(
			"the catalogue's signature is not valid: the catalogue was altered, or not signed with the key in model.catalogue_key",
		);
	let parsed: unknown;
	try {
		parsed = JSON.parse(Buffer.from(text).toString("utf8"));
	} catch {
		throw new PackageError("the catalogue is not valid JSON");
	}
	if (fits(catalogueSchema, parsed)) return parsed;
	const { path, message } = whyNot(catalogueSchema, parsed);
	throw new PackageError(
		`the catalogue: ${path.slice(1) || "it"} ${message}; it is for another version of earshot`,
	);
}

function catalogueKey(base64: string): KeyObject {
	const bytes = Buffer.from(base64, "base64");
	if (bytes.length !== keyBytes)
		throw new PackageError(
			"model.catalogue_key must be an ed25519 public key: 32 bytes in base64",
		);
	return publicKeyOf(bytes);
}

/** Of whoever may only read the folder, or looks before there is one. */
const notMine = ["EACCES", "EPERM", "EROFS", "ENOENT"];

/** An older edition could bring back withdrawn models. One that is newer is noted, where this user can. @throws PackageError */
export async function refuseOlder(
	directory: string,
	{ serial }: SignedCatalogue,
): Promise<void> {
	const path = join(directory, ".catalogue-serial");
	const seen = Number(await readFile(path, "utf8").catch(() => "0"));
	if (serial < seen)
		throw new PackageError(
			`the catalogue is edition ${serial}, and edition ${seen} was seen before: it may be a replay (remove ${path} if it is not)`,
		);
	if (serial === seen) return;
	try {
		await writeWhole(path, `${serial}\n`);
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		if (!notMine.includes(code)) throw error;
	}
}
