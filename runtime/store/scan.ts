/**
 * Reads a database before it is used. On a damaged file this may throw or kill the process: it runs in a child (open-check.ts).
 *
 * The amount is bounded by what a start needs: all keys of all tables, and with them every page of the tables' structure and every small row; large rows
 * (transcripts, word lists), which are stored in separate pages and may be gigabytes, only in tables with few of them. A file that is shorter than its pages is
 * read completely, since accessing a missing page kills the process.
 */
import { statSync } from "node:fs";
import { openToRead } from "./database.js";
import { attempt } from "./lmdb-errors.js";
import { codecOf } from "./row-codec.js";
import type { TableStats } from "./table-stats.js";

export interface ScanOptions {
	/** Size limit up to which the large rows of a table are read; Infinity: every row is read. */
	readonly largeBytesMax: number;
	/** Called for every row. */
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
		const isTruncated = isShort(path, root);
		let rows = 0;
		for (const { name, table, stats } of tables) {
			const largeBytes = stats.overflowPages * stats.pageSize;
			const all = isTruncated || largeBytes <= largeBytesMax;
			for (const _ of all ? decoded(name, table) : table.getKeys())
				onRow(++rows, rowsTotal);
		}
	});
}

/** Opening a table ends the read transaction of an iteration over the names: the names are collected first. */
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

/** Trailing pages without content may never have been written: that alone is not damage. */
function isShort(path: string, root: Root): boolean {
	const { pageSize, lastPageNumber } = root.getStats() as TableStats;
	return statSync(path).size < (lastPageNumber + 1) * pageSize;
}
