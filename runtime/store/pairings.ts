/**
 * Pairing codes: whoever types one into the console gets a token, once. The command line writes them, the server redeems them. A code has 39 bits, so it is only
 * safe because it is short-lived and tries are slowed (runtime/api/console/pairing.ts); its SHA-256 is the key, as with tokens.
 */
import { createHash, randomInt } from "node:crypto";
import type { Moment } from "./clock-state.js";
import type { Database, Table } from "./database.js";
import type { Now, Scope } from "./token-row.js";

export interface PairingRow {
	/** Of the token that it is exchanged for. */
	readonly name: string;
	readonly scopes: readonly Scope[];
	/** Unix time. */
	readonly expiresSeconds: number;
	/** When it was made; rows of older versions don't have it. */
	readonly made?: Moment;
}

const codeLetters = 8;
/** Without those that are read as one another: 0 O, 1 I L, U V. */
const alphabet = "23456789ABCDEFGHJKMNPQRSTWXYZ";

export class PairingRepository {
	readonly #rows: Table<PairingRow>;
	readonly #redeeming = new Set<string>();

	constructor(database: Database) {
		this.#rows = database.table("pairings");
	}

	/** @returns the code, for people: `ABCD-EFGH`. Codes that have expired are removed. @throws StoreError */
	async create(row: PairingRow, now: Now): Promise<string> {
		const letters = Array.from(
			{ length: codeLetters },
			() => alphabet[randomInt(alphabet.length)],
		).join("");
		for (const { key, value } of this.#rows.rows())
			if (!isInForce(value, now)) await this.#rows.remove(key);
		await this.#rows.put(keyOf(letters), row);
		return `${letters.slice(0, 4)}-${letters.slice(4)}`;
	}

	/** Codes that can still be redeemed. */
	waiting(now: Now): number {
		return [...this.#rows.rows()].filter(({ value }) => isInForce(value, now))
			.length;
	}

	/** A code is redeemed once. @param code as typed. @returns undefined where there is no such code, or it has expired. @throws StoreError */
	async redeem(code: string, now: Now): Promise<PairingRow | undefined> {
		const letters = code.toUpperCase().replace(/[^0-9A-Z]/g, "");
		if (letters.length !== codeLetters) return undefined;
		const key = keyOf(letters);
		const row = this.#rows.get(key);
		if (!row || this.#redeeming.has(key)) return undefined;
		this.#redeeming.add(key);
		try {
			await this.#rows.remove(key);
		} finally {
			this.#redeeming.delete(key);
		}
		return isInForce(row, now) ? row : undefined;
	}
}

function isInForce({ expiresSeconds, made }: PairingRow, now: Now): boolean {
	if (typeof now === "number") return now < expiresSeconds;
	return now(made ?? { seconds: expiresSeconds }) < expiresSeconds;
}

function keyOf(letters: string): string {
	return createHash("sha256").update(letters).digest("hex");
}
