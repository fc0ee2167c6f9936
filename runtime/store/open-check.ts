/**
 * A child that reads the whole database before anybody relies on it: a damaged file can kill its reader, and then only this process dies.
 * Argument: the file. Exit code 0: sound; 10: damaged; 11: can't tell. The reason goes to standard error.
 */
import { scanDatabase } from "./database.js";
import { StoreError } from "./store-error.js";

const damagedExitCode = 10; // open-store.ts knows it

function check(path: string): void {
	try {
		scanDatabase(path);
	} catch (thrown) {
		process.stderr.write(`${(thrown as Error).message}\n`);
		const damaged =
			thrown instanceof StoreError && thrown.trouble === "damaged";
		process.exit(damaged ? damagedExitCode : 11);
	}
	process.exit(0);
}

check(process.argv[2] ?? "");
