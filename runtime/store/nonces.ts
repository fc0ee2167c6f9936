/**
 * Nonces of signed token requests: each is good once. A row is only needed while its request's timestamp would still be accepted.
 */
import { createHash } from "node:crypto";
import type { Database, Table } from "./database.js";

interface NonceRow {
	readonly expiresSeconds: number;
}

export class NonceRepository {
	readonly #rows: Table<NonceRow>;

	constructor(database: Database) {
		this.#rows = database.table("nonces");
	}

	/** @returns false when it was used before, by whichever process. */
	async use(
		appId: string,
		nonce: string,
		expiresSeconds: number,
	): Promise<boolean> {
		// hashed: a client's text of any length and content makes a key of a known one
		const key = createHash("sha256").update(`${appId}\n${nonce}`).digest("hex");
		return this.#rows.putNew(key, { expiresSeconds });
	}

	/** @returns how many were forgotten. */
	async removeExpired(nowSeconds: number): Promise<number> {
		const dead = [...this.#rows.rows()].filter(
			({ value }) => value.expiresSeconds < nowSeconds,
		);
		await Promise.all(dead.map(({ key }) => this.#rows.remove(key)));
		return dead.length;
	}
}
