/**
 * How much of the processor an engine may take from others. Threads made later inherit it, so it is set before any model is loaded.
 *
 * Linux' idle policy (sched(7), SCHED_IDLE) gives a process what nobody else wants at the moment: a nice one still gets slices between a speaker's, and its
 * speaker waits for them. Node can't set it; chrt, which Debian always has, can.
 */
import { execFile } from "node:child_process";
import { setPriority } from "node:os";
import { promisify } from "node:util";

/** @returns why only the niceness is set; undefined where all is as it was wanted. */
export async function giveWay(
	niceness: number,
	idleOnly: boolean,
): Promise<string | undefined> {
	if (niceness > 0) setPriority(niceness);
	if (!idleOnly) return undefined;
	const pid = String(process.pid);
	try {
		await promisify(execFile)("chrt", [
			...["--all-tasks", "--idle", "--pid", "0", pid],
		]);
		return undefined;
	} catch (error) {
		return (error as Error).message.trim();
	}
}
