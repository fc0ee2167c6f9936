/** What is kept of a secret that gives access: not itself, so whoever reads the store or the memory gets in nowhere. */
import { createHash } from "node:crypto";

/** @param token of enough random bits that it can't be guessed from its hash. */
export function tokenHash(token: string): string {
	return createHash("sha256").update(token).digest("hex");
}
