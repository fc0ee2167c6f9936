/** What can be asked of one table of the database (database.ts). */

/** One of several changes that are made together, by `Database.together`. */
export type Write = () => Promise<unknown>;

export interface KeyedRow<V> {
	readonly key: string;
	readonly value: V;
}

/** Rows in the order of their keys; what is absent is no bound. */
export interface KeyRange {
	readonly from?: string;
	/** In place of `from`: behind this key, where its row is gone as well. */
	readonly after?: string;
	readonly before?: string;
}

export interface Table<V> {
	get(key: string): V | undefined;
	/** Resolves when the row is on the disk. @throws StoreError */
	put(key: string, value: V): Promise<void>;
	/** Writes only where there is no such row, atomically among all processes. @returns whether it wrote. @throws StoreError */
	putNew(key: string, value: V): Promise<boolean>;
	/** Writes only where there is such a row, atomically among all processes: one that is being removed does not come back. @returns whether it wrote. @throws StoreError */
	putOver(key: string, value: V): Promise<boolean>;
	/** @throws StoreError */
	remove(key: string): Promise<void>;
	/** For `together`; nothing is written yet. */
	putting(key: string, value: V): Write;
	puttingOver(key: string, value: V): Write;
	removing(key: string): Write;
	/** Every row, read within one turn of the event loop: for tables that stay small, and for the command line. Others are walked (walk.ts). */
	rows(): Iterable<KeyedRow<V>>;
	/** At most so many rows, read at once. */
	slice(range: KeyRange, rowsMax: number): KeyedRow<V>[];
	/** As `slice`, without reading what the rows hold. */
	keys(range: KeyRange, keysMax: number): string[];
	count(range: KeyRange): number;
	/** Bytes of a row as it lies there; 0 where there is none. */
	bytesOf(key: string): number;
	/** Bytes of all its pages. */
	readonly bytes: number;
	isEmpty(): boolean;
}
