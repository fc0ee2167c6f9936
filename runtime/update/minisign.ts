/**
 * Signatures in minisign's format (https://jedisct1.github.io/minisign, "Signature format"): ed25519 over the file, or over its BLAKE2b-512 (minisign's
 * default), and a second signature over the first and a comment, which makes the comment trusted as well.
 *
 * INVARIANT: nothing of a signature is used before a key of the owner has verified it.
 */
import { createHash, type KeyObject, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { keyBytes, publicKeyOf, signatureBytes } from "../download/ed25519.js";
import { UpdateError } from "./update-error.js";

export interface PublicKey {
	/** As shown by minisign: 16 hexadecimal digits. */
	readonly id: string;
	readonly key: KeyObject;
}

/** Only created by {@link readSignature}: its comment is verified, the file is not yet. */
export interface Signature {
	readonly trustedComment: string;
	readonly isPrehashed: boolean;
	readonly bytes: Buffer;
	readonly signer: PublicKey;
}

/** The asset with the key that an executable trusts (scripts/build --update-key). */
export const builtInKey = "update.pub";

const commentPrefix = "untrusted comment:";
const trustedPrefix = "trusted comment: ";
/** Type of keys, and of signatures over the file itself. */
const plain = "Ed";
const prehashed = "ED";
const kindBytes = 2;
const idBytes = 8;
/** A file that was not prehashed must be read into memory as a whole. */
const plainBytesMax = 1024 ** 3;

/** @param text output of `minisign -G`, or the file that it wrote. @throws UpdateError */
export function readPublicKey(text: string): PublicKey {
	const line = text
		.split(/\r?\n/)
		.map((it) => it.trim())
		.find((it) => it !== "" && !it.startsWith(commentPrefix));
	const bytes = decoded(line ?? "", kindBytes + idBytes + keyBytes);
	if (bytes?.toString("latin1", 0, kindBytes) !== plain)
		throw new UpdateError(
			`${JSON.stringify((line ?? text).slice(0, 60))} is not a minisign public key: 56 characters that begin with RW`,
		);
	return {
		id: idOf(bytes.subarray(kindBytes, kindBytes + idBytes)),
		key: publicKeyOf(bytes.subarray(kindBytes + idBytes)),
	};
}

/** @param text of a `.minisig` file. @throws UpdateError unless its comment is signed by one of the keys. */
export function readSignature(
	text: string,
	keys: readonly PublicKey[],
): Signature {
	const [comment = "", body = "", trusted = "", global = "", ...rest] =
		text.split(/\r?\n/);
	const signed = decoded(body, kindBytes + idBytes + signatureBytes);
	const second = decoded(global, signatureBytes);
	const kind = signed?.toString("latin1", 0, kindBytes);
	if (
		!comment.startsWith(commentPrefix) ||
		!trusted.startsWith(trustedPrefix) ||
		rest.join("") !== "" ||
		!signed ||
		!second ||
		(kind !== plain && kind !== prehashed)
	)
		throw new UpdateError("the signature is not a minisign signature");
	const id = idOf(signed.subarray(kindBytes, kindBytes + idBytes));
	const signer = keys.find((it) => it.id === id);
	if (!signer)
		throw new UpdateError(
			`it was signed with the key ${id}; trusted are ${keys.map((it) => it.id).join(", ")}`,
		);
	const bytes = signed.subarray(kindBytes + idBytes);
	const trustedComment = trusted.slice(trustedPrefix.length);
	const both = Buffer.concat([bytes, Buffer.from(trustedComment)]);
	if (!verify(null, both, signer.key, second))
		throw new UpdateError("the signature's comment was altered");
	return { trustedComment, isPrehashed: kind === prehashed, bytes, signer };
}

/** @throws UpdateError unless the signature matches the file. */
export async function verifyFile(
	path: string,
	{ isPrehashed, bytes, signer }: Signature,
): Promise<void> {
	const signed = isPrehashed ? await hashOf(path) : await wholeFile(path);
	if (!verify(null, signed, signer.key, bytes))
		throw new UpdateError(
			"invalid signature: the file was altered or is not the one that was signed",
		);
}

async function hashOf(path: string): Promise<Buffer> {
	const hash = createHash("blake2b512");
	for await (const chunk of createReadStream(path)) hash.update(chunk);
	return hash.digest();
}

async function wholeFile(path: string): Promise<Buffer> {
	if ((await stat(path)).size > plainBytesMax)
		throw new UpdateError(
			"the file is too large for a legacy signature: sign it without -l",
		);
	return readFile(path);
}

/** Decodes base64 of exactly `length` bytes. @returns undefined for anything else. */
function decoded(text: string, length: number): Buffer | undefined {
	const bytes = Buffer.from(text, "base64");
	const isExact =
		bytes.length === length && bytes.toString("base64") === text.trim();
	return isExact ? bytes : undefined;
}

/** Formats an id of eight bytes, little-endian. */
function idOf(bytes: Buffer): string {
	return Buffer.from(bytes).reverse().toString("hex").toUpperCase();
}
