/**
 * Reads the whole database before anybody relies on it: a damaged file can kill its reader, so a process of its own does this (`earshot check-store`), and
 * then only that dies. The reason goes to standard error.
 */
import { scanDatabase } from "./database.js";
import { StoreError } from "./store-error.js";

/** The process's exit code where the file is damaged; 0: sound; any other: it can't be told. */
export const damagedExitCode = 10;

/** @returns the exit code. */
export function checkDatabase(path: string): number {
	try {
		scanDatabase(path);
		return 0;
	} catch (thrown) {
		process.stderr.write(`${(thrown as Error).message}\n`);
		const damaged =
			thrown instanceof StoreError && thrown.trouble === "damaged";
		return damaged ? damagedExitCode : 11;
	}
}
