/**
 * Applications: an id and a secret that a client signs its token requests with. The secret is the key of an HMAC, so it can't be hashed; it is kept as it is, in a
 * file of mode 0600 inside a directory of mode 0700. Encrypting it with a key that lies beside it would only look safer.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { Database, Table } from "./database.js";

export interface AppRow {
	readonly id: string;
	readonly name: string;
	readonly secret: string;
	readonly createdSeconds: number;
	readonly revokedSeconds: number | null;
}

export class AppRepository {
	readonly #rows: Table<AppRow>;

	constructor(database: Database) {
		this.#rows = database.table("apps");
	}

	async create(name: string, nowSeconds: number): Promise<AppRow> {
		const row: AppRow = {
			id: randomUUID(),
			name,
			secret: randomBytes(32).toString("hex"),
			createdSeconds: nowSeconds,
			revokedSeconds: null,
		};
		await this.#rows.put(row.id, row);
		return row;
	}

	/** @param id from outside, any text. */
	find(id: string): AppRow | undefined {
		return isId(id) ? this.#rows.get(id) : undefined;
	}

	/** An application that is not revoked. @param id from outside, any text. */
	findValid(id: string): AppRow | undefined {
		const row = this.find(id);
		return row?.revokedSeconds === null ? row : undefined;
	}

	/** Oldest first. */
	list(): AppRow[] {
		return [...this.#rows.rows()]
			.map((it) => it.value)
			.sort((a, b) => a.createdSeconds - b.createdSeconds);
	}

	/** Every application with this name or id that still works, and with it all tokens that it got. @returns their ids. */
	async revoke(nameOrId: string, nowSeconds: number): Promise<string[]> {
		const found = this.list().filter(
			(row) =>
				row.revokedSeconds === null &&
				(row.name === nameOrId || row.id === nameOrId),
		);
		await Promise.all(
			found.map((row) =>
				this.#rows.put(row.id, { ...row, revokedSeconds: nowSeconds }),
			),
		);
		return found.map((row) => row.id);
	}
}

/** A key over lmdb's limit would throw: only what looks like our own ids is looked up. */
function isId(text: string): boolean {
	return /^[0-9a-f-]{36}$/.test(text);
}
