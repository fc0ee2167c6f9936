/**
 * Reads a database before anybody relies on it. On a damaged file this may throw or kill the process: it runs in a child (open-check.ts).
 *
 * How much is read is bounded by what a start needs: all keys of all tables, and with them every page that holds the tables together and every small row; large
 * rows (transcripts, lists of words), which lie in pages of their own and may be gigabytes, only of tables where they are few. A file that is shorter than its
 * pages is read as a whole, since what is missing kills who touches it.
 */
import { statSync } from "node:fs";
import { openToRead, type TableStats } from "./database.js";
import { attempt } from "./lmdb-errors.js";
import { codecOf } from "./row-codec.js";

export interface ScanOptions {
	/** What the large rows of a table may take to be read; Infinity: every row is. */
	readonly largeBytesMax: number;
	/** Told of every row. */
	readonly onRow: (rows: number, rowsTotal: number) => void;
}

type Root = ReturnType<typeof openToRead>;
type OpenTable = ReturnType<Root["openDB"]>;

/** @throws StoreError */
export function scanDatabase(
	path: string,
	{ largeBytesMax, onRow }: ScanOptions,
): void {
	attempt(path, () => {
		const root = openToRead(path, Number.isFinite(largeBytesMax));
		const tables = openTables(root);
		const rowsTotal = tables.reduce((sum, it) => sum + it.stats.entryCount, 0);
		const isCut = isShort(path, root);
		let rows = 0;
		for (const { name, table, stats } of tables) {
			const largeBytes = stats.overflowPages * stats.pageSize;
			const all = isCut || largeBytes <= largeBytesMax;
			for (const _ of all ? decoded(name, table) : table.getKeys())
				onRow(++rows, rowsTotal);
		}
	});
}

/** Opening a table ends the read transaction that a walk over the names stands on: the names are taken first. */
function openTables(root: Root) {
	return [...root.getKeys()].map(String).map((name) => {
		const table = root.openDB({ name, encoding: "binary" });
		return { name, table, stats: table.getStats() as TableStats };
	});
}

function* decoded(name: string, table: OpenTable): Generator<unknown> {
	const { decode } = codecOf(name);
	for (const { value } of table.getRange()) yield decode(value as Buffer);
}

/** Its last pages may never have been written, where they hold nothing: that alone is no damage. */
function isShort(path: string, root: Root): boolean {
	const { pageSize, lastPageNumber } = root.getStats() as TableStats;
	return statSync(path).size < (lastPageNumber + 1) * pageSize;
}
