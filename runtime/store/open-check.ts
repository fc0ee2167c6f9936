/**
 * The process that reads a database for another one (`earshot check-store`, started by damage-check.ts): a damaged file can kill its reader, and then only that
 * dies. How far it is goes to standard output, why the file is damaged to standard error.
 */
import { writeSync } from "node:fs";
import { scanDatabase } from "./scan.js";
import { StoreError } from "./store-error.js";

/** The process's exit code where the file is damaged; 0: sound; any other: it can't be told. */
export const damagedExitCode = 10;

/** How often it says how far it is, from the first row on: only where it gets on. */
const progressMs = 250;
const standardOutput = 1;

/** @param largeBytesMax see scan.ts. @returns the exit code. */
export function checkDatabase(path: string, largeBytesMax: number): number {
	let saidMs = Number.NEGATIVE_INFINITY;
	const onRow = (rows: number, rowsTotal: number) => {
		if (performance.now() - saidMs < progressMs) return;
		saidMs = performance.now();
		writeSync(standardOutput, `${rows} ${rowsTotal}\n`);
	};
	try {
		scanDatabase(path, { largeBytesMax, onRow });
		return 0;
	} catch (thrown) {
		process.stderr.write(`${(thrown as Error).message}\n`);
		const damaged =
			thrown instanceof StoreError && thrown.trouble === "damaged";
		return damaged ? damagedExitCode : 11;
	}
}
