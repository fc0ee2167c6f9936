/**
 * Iterates over tables of any size, and applies any number of changes: in slices, with turns of the event loop in between. A walk is not a snapshot: rows added
 * or removed meanwhile may be included or not, all others are included once.
 */
import { Slice } from "../event-loop/slices.js";
import type { Database } from "./database.js";
import type { KeyedRow, KeyRange, Table, Write } from "./table.js";

const rowsAtOnce = 100;
const writesAtOnce = 500;

export async function* walk<V>(
	table: Pick<Table<V>, "slice">,
	range: KeyRange = {},
): AsyncGenerator<KeyedRow<V>> {
	const next = (from: KeyRange) => table.slice(from, rowsAtOnce);
	yield* inTurns(range, next, ({ key }) => key);
}

/** Without reading the values. */
export async function* walkKeys(
	table: Pick<Table<unknown>, "keys">,
	range: KeyRange = {},
): AsyncGenerator<string> {
	const next = (from: KeyRange) => table.keys(from, rowsAtOnce);
	yield* inTurns(range, next, (key) => key);
}

/** For tables with keys `prefix/...`: each prefix. */
export async function* walkPrefixes(
	table: Pick<Table<unknown>, "keys">,
): AsyncGenerator<string> {
	let last: string | undefined;
	for await (const key of walkKeys(table)) {
		const prefix = key.slice(0, key.indexOf("/"));
		if (prefix !== last) yield prefix;
		last = prefix;
	}
}

/** Applies changes as they come, many in one transaction. @returns their number. @throws StoreError: earlier changes may have been applied */
export async function writeAll(
	database: Pick<Database, "together">,
	changes: AsyncIterable<readonly Write[]>,
): Promise<number> {
	let count = 0;
	let writes: Write[] = [];
	for await (const change of changes) {
		count++;
		writes.push(...change);
		if (writes.length < writesAtOnce) continue;
		await database.together(writes);
		writes = [];
	}
	if (writes.length > 0) await database.together(writes);
	return count;
}

async function* inTurns<T>(
	range: KeyRange,
	next: (range: KeyRange) => readonly T[],
	keyOf: (item: T) => string,
): AsyncGenerator<T> {
	const slice = new Slice(); // of the work on the rows, too
	for (let from = range; ; ) {
		const some = next(from);
		for (const item of some) {
			yield item;
			if (slice.isOver) await slice.next();
		}
		const last = some.at(-1);
		if (last === undefined || some.length < rowsAtOnce) return;
		from = { ...range, after: keyOf(last) };
	}
}
