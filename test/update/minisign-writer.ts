/** Writes keys and signatures in minisign's format, for tests (https://jedisct1.github.io/minisign). */
import {
	createHash,
	generateKeyPairSync,
	type KeyObject,
	sign,
} from "node:crypto";
import { nextHexId } from "../fixtures/ids.js";

export interface Signer {
	/** The line that `minisign -G` prints. */
	readonly publicKey: string;
	readonly id: Buffer;
	readonly privateKey: KeyObject;
}

export function newSigner(): Signer {
	const { publicKey, privateKey } = generateKeyPairSync("ed25519");
	const id = Buffer.from(nextHexId(8), "hex");
	const x = Buffer.from(
		publicKey.export({ format: "jwk" }).x ?? "",
		"base64url",
	);
	const line = Buffer.concat([Buffer.from("Ed"), id, x]).toString("base64");
	return { publicKey: line, id, privateKey };
}

export interface SignatureOptions {
	readonly comment: string;
	/** minisign's `-l`. */
	readonly isPlain?: boolean;
}

/** The text of a `.minisig` file. */
export function signatureOf(
	content: Uint8Array,
	{ id, privateKey }: Signer,
	{ comment, isPlain = false }: SignatureOptions,
): string {
	const signed = isPlain
		? content
		: createHash("blake2b512").update(content).digest();
	const signature = sign(null, signed, privateKey);
	const kind = Buffer.from(isPlain ? "Ed" : "ED");
	const global = sign(
		null,
		Buffer.concat([signature, Buffer.from(comment)]),
		privateKey,
	);
	return `untrusted comment: a test's
${Buffer.concat([kind, id, signature]).toString("base64")}
trusted comment: ${comment}
${global.toString("base64")}
`;
}
