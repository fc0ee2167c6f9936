/**
 * Rows that only the server changes, kept in memory once they were read: a table's rows by id, in the order of their kind.
 *
 * INVARIANTS
 * - The index is what is on the disk. After a write that failed nobody knows what that is: its row is read again, and no other.
 * - A new row comes behind all others.
 */
import type { Database, Table, Write } from "./database.js";
import { walk } from "./walk.js";

export class IndexedRows<Row extends { readonly id: string }> {
	readonly #database: Database;
	readonly #rows: Table<Row>;
	readonly #order: (one: Row, other: Row) => number;
	/** Undefined until somebody asks. */
	#index: Map<string, Row> | undefined;
	/** Made so far. */
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

	/** Read in slices, so that nobody is held up who asks for all then. */
	async load(): Promise<void> {
		while (!this.#index) {
			const writesBefore = this.#writes;
			const rows: Row[] = [];
			for await (const { value } of walk(this.#rows)) rows.push(value);
			// what was written meanwhile may not have been met
			if (this.#writes === writesBefore) this.#index ??= this.#inOrder(rows);
		}
	}

	get all(): ReadonlyMap<string, Row> {
		for (const id of this.#doubtful) this.#remember(id, this.#rows.get(id));
		this.#doubtful.clear();
		this.#index ??= this.#inOrder([...this.#rows.rows()].map((it) => it.value));
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
			this.#doubtful.add(id); // written or not: nobody knows
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
