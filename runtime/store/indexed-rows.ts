/**
 * Rows that only the server changes, kept in memory once they were read: a table's rows by id, in the order of their kind.
 *
 * INVARIANTS
 * - The index is what is on the disk. After a write that failed nobody knows what that is: it is read again.
 * - A new row comes behind all others.
 */
import type { Database, Table, Write } from "./database.js";

export class IndexedRows<Row extends { readonly id: string }> {
	readonly #database: Database;
	readonly #rows: Table<Row>;
	readonly #order: (one: Row, other: Row) => number;
	/** Undefined until somebody asks. */
	#index: Map<string, Row> | undefined;

	/** @param order of the index: first to last. */
	constructor(
		database: Database,
		rows: Table<Row>,
		order: (one: Row, other: Row) => number,
	) {
		this.#database = database;
		this.#rows = rows;
		this.#order = order;
	}

	/** One row, from the disk. */
	read(id: string): Row | undefined {
		return this.#rows.get(id);
	}

	get all(): ReadonlyMap<string, Row> {
		this.#index ??= this.#readIndex();
		return this.#index;
	}

	/** @param row that takes the id's place; undefined: none. @param more written with it, or not at all. @throws StoreError */
	async write(
		id: string,
		row: Row | undefined,
		more: readonly Write[],
	): Promise<void> {
		const mine = row ? this.#rows.putting(id, row) : this.#rows.removing(id);
		try {
			await this.#database.together([mine, ...more]);
		} catch (thrown) {
			this.#index = undefined; // written or not: nobody knows
			throw thrown;
		}
		if (row) this.#index?.set(id, row);
		else this.#index?.delete(id);
	}

	#readIndex(): Map<string, Row> {
		const rows = [...this.#rows.rows()].map((it) => it.value);
		rows.sort(this.#order);
		return new Map(rows.map((row) => [row.id, row]));
	}
}
