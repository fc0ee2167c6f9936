/** When tokens were used last: one row with the latest of them, since it is written as a whole, now and then. */
import type { Database, Table } from "./database.js";

export interface TokenUse {
	/** Of the token. */
	readonly id: string;
	/** Unix time. */
	readonly atSeconds: number;
	readonly endpoint: string;
	/** Of a token that is one of many that come and go. Absent in rows of versions before. */
	readonly isPassing?: boolean;
}

const key = "latest";
const keptMax = 1000;

export class TokenUses {
	readonly #rows: Table<readonly TokenUse[]>;

	constructor(database: Database) {
		this.#rows = database.table("tokens.uses");
	}

	/** As they were kept. */
	read(): readonly TokenUse[] {
		return this.#rows.get(key) ?? [];
	}

	/** @param uses those that may be forgotten first; the last are kept. @throws StoreError */
	keep(uses: readonly TokenUse[]): Promise<void> {
		return this.#rows.put(key, uses.slice(-keptMax));
	}
}
