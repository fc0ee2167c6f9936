/** Nonces of signed token requests: each is valid once. A row is only needed while its request's timestamp would still be accepted. */
import { createHash } from "node:crypto";
import type { Database, Table, Write } from "./database.js";
import { walk, writeAll } from "./walk.js";

interface NonceRow {
	readonly expiresSeconds: number;
}

export class NonceRepository {
	readonly #database: Database;
	readonly #rows: Table<NonceRow>;

	constructor(database: Database) {
		this.#database = database;
		this.#rows = database.table("nonces");
	}

	/** @returns false if it was used before, by any process. */
	async use(
		appId: string,
		nonce: string,
		expiresSeconds: number,
	): Promise<boolean> {
		// hashed: text of any length and content becomes a key of fixed form
		const key = createHash("sha256").update(`${appId}\n${nonce}`).digest("hex");
		return this.#rows.putNew(key, { expiresSeconds });
	}

	/** @returns how many were removed. @throws StoreError */
	removeExpired(nowSeconds: number): Promise<number> {
		return writeAll(this.#database, this.#removals(nowSeconds));
	}

	async *#removals(nowSeconds: number): AsyncGenerator<Write[]> {
		for await (const { key, value } of walk(this.#rows))
			if (value.expiresSeconds < nowSeconds) yield [this.#rows.removing(key)];
	}
}
