/** When tokens were used last: one row with the latest of them, since it is written as a whole, now and then. */
import type { Database, Table } from "./database.js";

export interface TokenUse {
	/** Of the token. */
	readonly id: string;
	/** Unix time. */
	readonly atSeconds: number;
	readonly endpoint: string;
}

const key = "latest";
const keptMax = 1000;

export class TokenUses {
	readonly #rows: Table<readonly TokenUse[]>;

	constructor(database: Database) {
		this.#rows = database.table("tokens.uses");
	}

	/** Oldest first. */
	read(): readonly TokenUse[] {
		return this.#rows.get(key) ?? [];
	}

	/** @param uses oldest first; the latest are kept. @throws StoreError */
	keep(uses: readonly TokenUse[]): Promise<void> {
		return this.#rows.put(key, uses.slice(-keptMax));
	}
}
