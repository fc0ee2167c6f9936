/**
 * Lists of words: hotword databases, correction vocabularies, lists of forbidden words; a repository for each kind. What is said about a list stands apart
 * from its entries, so that a thousand lists are looked through without reading twenty million words.
 *
 * INVARIANTS
 * - A change is one transaction: what is said of a list and its entries change together, or not at all.
 * - `version` names the entries for ever: changed entries get another one, and so does a list that takes the id of a removed one. It is random, so that it
 *   is not used twice after a backup came back either.
 * - Changes of one list are made one after the other, each on what the one before left. Only the server changes lists (the directory's lock sees to that), so
 *   what was read once to list them is kept in memory.
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
	/** Entries. */
	readonly amount: number;
	/** Unix times in seconds; the fraction tells which of two came first. */
	readonly createdSeconds: number;
	readonly updatedSeconds: number;
	readonly version: string;
	/** Who made it; absent: a version that knew no owners. */
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
	/** Absent: it counts for nobody. */
	readonly owner?: Owner;
}

export interface WordListChange {
	/** Absent: as it is. */
	readonly name?: string;
	readonly entries?: readonly string[];
}

/** What becomes of a list as it is; its entries are read when they are asked for. */
export type Decide<T> = (
	row: WordListRow,
	entries: () => readonly string[],
) => Promise<T>;

const versionBytes = 9;
/** Of what is said about a list, and the keys: about. */
const rowBytes = 512;
/** A commit may fall between two looks; not between all of so many. */
const attemptsMax = 10;

export class WordListRepository {
	/** Oldest first. */
	readonly #rows: IndexedRows<WordListRow>;
	readonly #entries: Table<readonly string[]>;
	readonly #quota: ListQuota | undefined;
	readonly #mutex = new KeyedMutex();

	/** @param name of this kind of list. @param quota that bounds them; they count there from now on */
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

	/** Before anybody asks for all: there may be very many. */
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
			// changed between the two looks: look again
		}
		throw entriesGone(id);
	}

	/** Newest first. Read once, then kept: there may be very many. */
	list(): WordListRow[] {
		// nearly in order already: those made at the same time were written in any
		return [...this.#rows.all.values()].reverse().sort(newestFirst);
	}

	/** @returns undefined where the id is taken. @throws StoreError; CodedError 100004 of the quota */
	create(
		asked: NewWordList,
		nowSeconds: number,
	): Promise<WordListRow | undefined> {
		return this.#mutex.run(asked.id, async () => {
			if (this.find(asked.id)) return undefined;
			const { entries, ...about } = asked;
			const row: WordListRow = {
				...about,
				amount: entries.length,
				createdSeconds: nowSeconds,
				updatedSeconds: nowSeconds,
				version: newVersion(),
			};
			const bytes = rowBytes + bytesOf(entries);
			const growth = { owner: asked.owner, bytes, writtenBytes: bytes };
			await this.#within(growth, () =>
				this.#rows.write(row.id, row, [
					this.#entries.putting(entriesKey(row), entries),
				]),
			);
			return row;
		});
	}

	/**
	 * @param decide what becomes of the list as it is; nobody else changes it meanwhile. What it throws is thrown, and nothing changes.
	 * @returns undefined where there is no such list. @throws StoreError; CodedError 100004 of the quota
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
				if (!now) throw entriesGone(id); // an empty list would be written over them
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

	/** @param check may throw: then the list stays. @returns whether there was one. @throws StoreError */
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

/** About; what is exact is counted once it is on the disk. UTF-16, quotes and a comma. */
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

/** No id holds an @. */
function entriesKey({ id, version }: WordListRow): string {
	return `${id}@${version}`;
}

function newVersion(): string {
	return randomBytes(versionBytes).toString("base64url");
}
