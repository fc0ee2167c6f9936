/**
 * Rows that only the server changes, cached in memory once they were read: a table's rows by id, in the order of their kind.
 *
 * INVARIANTS
 * - The index equals the disk. After a failed write the state on the disk is unknown: that row alone is read again.
 * - A new row comes after all others.
 */
import type { Database, Table, Write } from "./database.js";
import { walk } from "./walk.js";

export class IndexedRows<Row extends { readonly id: string }> {
	readonly #database: Database;
	readonly #rows: Table<Row>;
	readonly #order: (one: Row, other: Row) => number;
	/** Undefined until first used. */
	#index: Map<string, Row> | undefined;
	/** Writes made so far. */
	#writes = 0;
	/** Ids of rows to be read again. */
	readonly #doubtful = new Set<string>();

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

	/** Reads all rows in slices, so that the first use of `all` does not block the event loop. */
	async load(): Promise<void> {
		while (!this.#index) {
			const writesBefore = this.#writes;
			const rows: Row[] = [];
			for await (const { value } of walk(this.#rows)) rows.push(value);
			// rows written meanwhile may have been missed
			if (this.#writes === writesBefore) this.#index ??= this.#inOrder(rows);
		}
	}

	get all(): ReadonlyMap<string, Row> {
		for (const id of this.#doubtful) this.#remember(id, this.#rows.get(id));
		this.#doubtful.clear();
		this.#index ??= this.#inOrder([...this.#rows.rows()].map((it) => it.value));
		return this.#index;
	}

	/** @param row replaces the one with this id; undefined removes it. @param more writes of the same transaction. @throws StoreError */
	async write(
		id: string,
		row: Row | undefined,
		more: readonly Write[],
	): Promise<void> {
		const mine = row ? this.#rows.putting(id, row) : this.#rows.removing(id);
		try {
			await this.#database.together([mine, ...more]);
		} catch (thrown) {
			this.#doubtful.add(id); // it may or may not have been written
			throw thrown;
		}
		this.#remember(id, row);
	}

	#remember(id: string, row: Row | undefined): void {
		this.#writes++;
		if (row) this.#index?.set(id, row);
		else this.#index?.delete(id);
	}

	#inOrder(rows: Row[]): Map<string, Row> {
		rows.sort(this.#order);
		return new Map(rows.map((row) => [row.id, row]));
	}
}
