/**
 * Transcripts of completed tasks, in pages: one of five hours is written and read piece by piece. Pages are written first, by themselves; the row that says
 * that they are a result is written with the task's completion, so that a result is whole or not there.
 */
import type { Database, Table, Write } from "./database.js";
import { walkKeys, walkPrefixes } from "./walk.js";

export interface StoredResultRow<Statistics> {
	readonly pages: number;
	readonly statistics: Statistics;
}

const removedAtOnce = 100;
const pageDigits = 6;

export class TaskResultRepository<Segment, Statistics> {
	readonly #database: Database;
	readonly #results: Table<StoredResultRow<Statistics>>;
	readonly #pages: Table<readonly Segment[]>;

	constructor(database: Database) {
		this.#database = database;
		this.#results = database.table("results");
		this.#pages = database.table("results.pages");
	}

	find(id: string): StoredResultRow<Statistics> | undefined {
		return this.#results.get(id);
	}

	/** @param page from 0. Undefined: it was removed. */
	page(id: string, page: number): readonly Segment[] | undefined {
		return this.#pages.get(pageKey(id, page));
	}

	/** In place of one that an interrupted composition left. @throws StoreError */
	putPage(
		id: string,
		page: number,
		segments: readonly Segment[],
	): Promise<void> {
		return this.#pages.put(pageKey(id, page), segments);
	}

	/** From now on the pages are a result. */
	putting(id: string, result: StoredResultRow<Statistics>): Write {
		return this.#results.putting(id, result);
	}

	removing(id: string): Write {
		return this.#results.removing(id);
	}

	/** All of it; or only pages from this one on. @throws StoreError */
	async clear(id: string, fromPage = 0): Promise<void> {
		if (fromPage === 0) await this.#results.remove(id);
		const range = { from: pageKey(id, fromPage), before: `${id}0` };
		const some = () => this.#pages.keys(range, removedAtOnce);
		for (let keys = some(); keys.length > 0; keys = some())
			await this.#database.together(
				keys.map((key) => this.#pages.removing(key)),
			);
	}

	/** Whose pages are kept, some of them twice. */
	async *ids(): AsyncGenerator<string> {
		yield* walkKeys(this.#results);
		yield* walkPrefixes(this.#pages);
	}
}

function pageKey(id: string, page: number): string {
	return `${id}/${String(page).padStart(pageDigits, "0")}`;
}
