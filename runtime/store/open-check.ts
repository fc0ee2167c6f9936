/**
 * The process that checks a database for another one (`earshot check-store`, started by damage-check.ts): a damaged file may kill its reader, and then only
 * this process dies. It writes its progress to standard output and the damage to standard error.
 */
import { writeSync } from "node:fs";
import { scanDatabase } from "./scan.js";
import { isDamage } from "./store-error.js";

/** The process's exit code for a damaged file; 0: sound; any other: unknown. */
export const damagedExitCode = 10;

/** Interval of the progress reports, from the first row on. */
const progressMs = 250;
const standardOutput = 1;

/** @param largeBytesMax see scan.ts. @returns the exit code. */
export function checkDatabase(path: string, largeBytesMax: number): number {
	let reportedMs = Number.NEGATIVE_INFINITY;
	const onRow = (rows: number, rowsTotal: number) => {
		if (performance.now() - reportedMs < progressMs) return;
		reportedMs = performance.now();
		writeSync(standardOutput, `${rows} ${rowsTotal}\n`);
	};
	try {
		scanDatabase(path, { largeBytesMax, onRow });
		return 0;
	} catch (thrown) {
		process.stderr.write(`${(thrown as Error).message}\n`);
		return isDamage(thrown) ? damagedExitCode : 11;
	}
}
