/**
 * Applications: an id and a secret with which a client signs its token requests. The secret is the key of an HMAC, so it can't be hashed; it is stored in plain
 * text, in a file of mode 0600 inside a directory of mode 0700. Encrypting it with a key stored beside it would only look safer.
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

	/** @param id untrusted text. */
	find(id: string): AppRow | undefined {
		return isId(id) ? this.#rows.get(id) : undefined;
	}

	/** @param id untrusted text. @returns undefined for a revoked application. */
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

	/** Revokes all valid applications with this name or id, and with them their tokens. @returns their ids. */
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

/** A key above lmdb's limit would throw: only texts in the form of our ids are looked up. */
function isId(text: string): boolean {
	return /^[0-9a-f-]{36}$/.test(text);
}
