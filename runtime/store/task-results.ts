/**
 * Transcripts of completed tasks, in pages: one of five hours is written and read piece by piece. Pages are written first; the row that makes them a result is
 * written with the task's completion, so that a result is complete or does not exist.
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

	/** @param page from 0. @returns undefined if it was removed. */
	page(id: string, page: number): readonly Segment[] | undefined {
		return this.#pages.get(pageKey(id, page));
	}

	/** Replaces a page left by an interrupted composition. @throws StoreError */
	putPage(
		id: string,
		page: number,
		segments: readonly Segment[],
	): Promise<void> {
		return this.#pages.put(pageKey(id, page), segments);
	}

	/** Makes the pages a result. */
	putting(id: string, result: StoredResultRow<Statistics>): Write {
		return this.#results.putting(id, result);
	}

	removing(id: string): Write {
		return this.#results.removing(id);
	}

	/** Removes the result; with `fromPage` only the pages from there on. @throws StoreError */
	async clear(id: string, fromPage = 0): Promise<void> {
		if (fromPage === 0) await this.#results.remove(id);
		const range = { from: pageKey(id, fromPage), before: `${id}0` };
		const some = () => this.#pages.keys(range, removedAtOnce);
		for (let keys = some(); keys.length > 0; keys = some())
			await this.#database.together(
				keys.map((key) => this.#pages.removing(key)),
			);
	}

	/** Tasks with stored pages; may repeat. */
	async *ids(): AsyncGenerator<string> {
		yield* walkKeys(this.#results);
		yield* walkPrefixes(this.#pages);
	}
}

function pageKey(id: string, page: number): string {
	return `${id}/${String(page).padStart(pageDigits, "0")}`;
}
