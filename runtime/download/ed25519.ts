/** What is fetched is signed with ed25519, whose keys are written down as their 32 bytes: Node takes them only within a format. */
import { createPublicKey, type KeyObject } from "node:crypto";

export const keyBytes = 32;
export const signatureBytes = 64;

/** @param bytes `keyBytes` of them. */
export function publicKeyOf(bytes: Buffer): KeyObject {
	const x = bytes.toString("base64url");
	return createPublicKey({
		key: { kty: "OKP", crv: "Ed25519", x },
		format: "jwk",
	});
}
