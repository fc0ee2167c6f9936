/**
 * Word lists: hotword databases, correction vocabularies, lists of forbidden words; a repository for each kind. The row of a list is stored apart from its
 * entries, so that a thousand lists can be listed without reading twenty million words.
 *
 * INVARIANTS
 * - A change is one transaction: the row of a list and its entries change together, or not at all.
 * - `version` identifies the entries for ever: changed entries get another one, and so does a list that reuses the id of a removed one. It is random, so that it
 *   is not repeated after a backup was restored either.
 * - Changes of one list are applied one after the other, each to the result of the previous one. Only the server changes lists (ensured by the directory's
 *   lock), so the rows are read once and cached in memory.
 */
import { randomBytes } from "node:crypto";
import type { Owner } from "../owner.js";
import type { Database, Table } from "./database.js";
import { IndexedRows } from "./indexed-rows.js";
import { KeyedMutex } from "./keyed-mutex.js";
import type { ListGrowth, ListQuota } from "./list-quota.js";
import { StoreError } from "./store-error.js";

export interface WordListRow {
	readonly id: string;
	/** Empty where none was given. */
	readonly name: string;
	/** Canonical `lang_type`. */
	readonly language: string;
	/** Number of entries. */
	readonly amount: number;
	/** Unix times in seconds; the fraction keeps their order. */
	readonly createdSeconds: number;
	readonly updatedSeconds: number;
	readonly version: string;
	/** Absent in rows of versions without owners. */
	readonly owner?: Owner;
}

export interface StoredWordList {
	readonly row: WordListRow;
	readonly entries: readonly string[];
}

export interface NewWordList {
	readonly id: string;
	readonly name: string;
	readonly language: string;
	readonly entries: readonly string[];
	/** Absent: it counts for no owner. */
	readonly owner?: Owner;
}

export interface WordListChange {
	/** Absent: unchanged. */
	readonly name?: string;
	readonly entries?: readonly string[];
}

/** Decides the change of a list from its current state; its entries are only read if requested. */
export type Decide<T> = (
	row: WordListRow,
	entries: () => readonly string[],
) => Promise<T>;

const versionBytes = 9;
/** Approximate size of a row and its keys. */
const rowBytes = 512;
/** A commit may fall between two reads; it will not do so this many times in a row. */
const attemptsMax = 10;

export class WordListRepository {
	/** Oldest first. */
	readonly #rows: IndexedRows<WordListRow>;
	readonly #entries: Table<readonly string[]>;
	readonly #quota: ListQuota | undefined;
	readonly #mutex = new KeyedMutex();

	/** @param name of this kind of list. @param quota that limits them, and counts them from now on */
	constructor(database: Database, name: string, quota?: ListQuota) {
		const rows = database.table<WordListRow>(name);
		const entries = database.table<readonly string[]>(`${name}.entries`);
		this.#rows = new IndexedRows(database, rows, (one, other) =>
			newestFirst(other, one),
		);
		this.#entries = entries;
		this.#quota = quota;
		quota?.count({
			countOf: (owner) => this.#countOf(owner),
			get bytes() {
				return rows.bytes + entries.bytes;
			},
		});
	}

	/** Called before the first use of all rows: there may be many. */
	load(): Promise<void> {
		return this.#rows.load();
	}

	find(id: string): WordListRow | undefined {
		return this.#rows.read(id);
	}

	read(id: string): StoredWordList | undefined {
		for (let attempt = 0; attempt < attemptsMax; attempt++) {
			const row = this.find(id);
			if (!row) return undefined;
			const entries = this.#entries.get(entriesKey(row));
			if (entries) return { row, entries };
			// changed between the two reads: retried
		}
		throw entriesGone(id);
	}

	/** Newest first. Read once, then cached: there may be many. */
	list(): WordListRow[] {
		// nearly sorted already: only lists created at the same time may be in any order
		return [...this.#rows.all.values()].reverse().sort(newestFirst);
	}

	/** @returns undefined if the id is taken. @throws StoreError; CodedError 100004 of the quota */
	create(
		list: NewWordList,
		nowSeconds: number,
	): Promise<WordListRow | undefined> {
		return this.#mutex.run(list.id, async () => {
			if (this.find(list.id)) return undefined;
			const { entries, ...about } = list;
			const row: WordListRow = {
				...about,
				amount: entries.length,
				createdSeconds: nowSeconds,
				updatedSeconds: nowSeconds,
				version: newVersion(),
			};
			const bytes = rowBytes + bytesOf(entries);
			const growth = { owner: list.owner, bytes, writtenBytes: bytes };
			await this.#within(growth, () =>
				this.#rows.write(row.id, row, [
					this.#entries.putting(entriesKey(row), entries),
				]),
			);
			return row;
		});
	}

	/**
	 * @param decide gets the current state of the list, which nobody else changes meanwhile. An error that it throws is passed on, and nothing changes.
	 * @returns undefined if there is no such list. @throws StoreError; CodedError 100004 of the quota
	 */
	change(
		id: string,
		decide: Decide<WordListChange>,
		nowSeconds: () => number,
	): Promise<WordListRow | undefined> {
		return this.#mutex.run(id, async () => {
			const before = this.find(id);
			if (!before) return undefined;
			const { name, entries } = await decide(before, () => {
				const now = this.#entries.get(entriesKey(before));
				if (!now) throw entriesGone(id); // otherwise an empty list would replace them
				return now;
			});
			const row: WordListRow = {
				...before,
				...(name !== undefined && { name }),
				...(entries && { amount: entries.length, version: newVersion() }),
				updatedSeconds: nowSeconds(),
			};
			const writes = entries
				? [
						this.#entries.putting(entriesKey(row), entries),
						this.#entries.removing(entriesKey(before)),
					]
				: [];
			await this.#within(this.#growthOf(before, entries), () =>
				this.#rows.write(id, row, writes),
			);
			return row;
		});
	}

	/** @param check may throw: then the list is kept. @returns whether it existed. @throws StoreError */
	remove(id: string, check: () => void): Promise<boolean> {
		return this.#mutex.run(id, async () => {
			const row = this.find(id);
			if (!row) return false;
			check();
			const entries = this.#entries.removing(entriesKey(row));
			await this.#rows.write(id, undefined, [entries]);
			return true;
		});
	}

	#countOf(owner: Owner): number {
		let count = 0;
		for (const row of this.#rows.all.values()) if (row.owner === owner) count++;
		return count;
	}

	#growthOf(
		before: WordListRow,
		entries: readonly string[] | undefined,
	): ListGrowth {
		const writtenBytes = entries ? bytesOf(entries) : 0;
		const thereBytes = entries ? this.#entries.bytesOf(entriesKey(before)) : 0;
		return { bytes: writtenBytes - thereBytes, writtenBytes };
	}

	#within(growth: ListGrowth, write: () => Promise<void>): Promise<void> {
		return this.#quota ? this.#quota.during(growth, write) : write();
	}
}

/** Approximate size; the exact size counts once it is on the disk. UTF-16, quotes and a comma. */
function bytesOf(entries: readonly string[]): number {
	return entries.reduce((sum, it) => sum + 2 * (it.length + 3), 0);
}

function newestFirst(one: WordListRow, other: WordListRow): number {
	return (
		other.createdSeconds - one.createdSeconds || (one.id < other.id ? -1 : 1)
	);
}

function entriesGone(id: string): StoreError {
	return new StoreError("damaged", `the entries of the list ${id} are missing`);
}

/** An id never contains @. */
function entriesKey({ id, version }: WordListRow): string {
	return `${id}@${version}`;
}

function newVersion(): string {
	return randomBytes(versionBytes).toString("base64url");
}
