/**
 * Damaged databases that were set aside, for whoever looks for rows in them. Each takes as much of the disk as the database, so of those that a backup replaced only
 * the newest are kept. One that no backup replaced may hold the only copy of its rows, and stays until a person removes it: as 0.1.0 gave all of them its name, theirs
 * stay, too.
 */
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { timeStamp } from "./replacement.js";
import { databasePath, hasContent } from "./state-files.js";

const keptMax = 2;

/** For one that a backup replaces. */
export function replacedPath(dir: string): string {
	return `${databasePath(dir)}.damaged-replaced-${timeStamp()}`;
}

export function notReplacedPath(dir: string): string {
	return `${databasePath(dir)}.damaged-${timeStamp()}`;
}

/** One that can't be removed stays: the server starts all the same. @param newest just set aside: it is kept, whatever the clock said then and before. */
export function removeOlder(dir: string, newest: string): void {
	// not the lock of one that somebody has opened
	const isReplaced = new RegExp(
		`^${basename(databasePath(dir))}\\.damaged-replaced-[-\\dTZ]+$`,
	);
	const older = readdirSync(dir)
		.filter((name) => isReplaced.test(name) && name !== basename(newest))
		.map((name) => join(dir, name))
		.sort();
	const kept = older.filter(hasContent).slice(1 - keptMax);
	for (const path of older) if (!kept.includes(path)) removeIfPossible(path);
}

function removeIfPossible(path: string): void {
	try {
		rmSync(path);
	} catch {}
}
