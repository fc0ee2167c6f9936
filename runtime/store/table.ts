/** Operations of one table of the database (database.ts). */

/** One of several changes that `Database.together` makes in one transaction. */
export type Write = () => Promise<unknown>;

export interface KeyedRow<V> {
	readonly key: string;
	readonly value: V;
}

/** A range of keys, in order; an absent bound is open. */
export interface KeyRange {
	readonly from?: string;
	/** Instead of `from`: after this key, whether its row exists or not. */
	readonly after?: string;
	readonly before?: string;
}

export interface Table<V> {
	get(key: string): V | undefined;
	/** Resolves when the row is on the disk. @throws StoreError */
	put(key: string, value: V): Promise<void>;
	/** Writes only if there is no such row, atomically across processes. @returns whether it wrote. @throws StoreError */
	putNew(key: string, value: V): Promise<boolean>;
	/**
	 * Writes only if there is such a row, atomically across processes: a row that is being removed does not come back. @returns whether it wrote. @throws
	 * StoreError
	 */
	putOver(key: string, value: V): Promise<boolean>;
	/** @throws StoreError */
	remove(key: string): Promise<void>;
	/** For `together`; nothing is written yet. */
	putting(key: string, value: V): Write;
	puttingOver(key: string, value: V): Write;
	removing(key: string): Write;
	/** Every row, read within one turn of the event loop: for tables that stay small, and for the command line. Others use walk.ts. */
	rows(): Iterable<KeyedRow<V>>;
	/** At most `rowsMax` rows, read at once. */
	slice(range: KeyRange, rowsMax: number): KeyedRow<V>[];
	/** As `slice`, without reading the values. */
	keys(range: KeyRange, keysMax: number): string[];
	count(range: KeyRange): number;
	/** Size of a stored row; 0 if there is none. */
	bytesOf(key: string): number;
	/** Size of all its pages. */
	readonly bytes: number;
	isEmpty(): boolean;
}
