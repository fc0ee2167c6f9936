/**
 * How much of the processor an engine may take from others. Threads and programs started later inherit it, so an engine sets it before any model is loaded.
 *
 * Linux' idle policy (sched(7), SCHED_IDLE) gives a process what nobody else wants at the moment: a nice one still gets slices between a speaker's, and its
 * speaker waits for them. Node can't set it; chrt, which Debian always has, can.
 */
import { execFile } from "node:child_process";
import { setPriority } from "node:os";
import { promisify } from "node:util";

/** For this process. @returns why only the niceness is set; undefined where all is as it was wanted. */
export async function giveWay(
	niceness: number,
	idleOnly: boolean,
): Promise<string | undefined> {
	if (niceness > 0) setPriority(niceness);
	return idleOnly ? idlePolicy([process.pid]) : undefined;
}

/** @param pids processes, with all their threads. @returns why not; undefined where they are so now. */
export function idlePolicy(
	pids: readonly number[],
): Promise<string | undefined> {
	return setPolicy("--idle", pids);
}

/** Among all others, by their niceness. @returns why not; undefined where they are so now. */
export function normalPolicy(
	pids: readonly number[],
): Promise<string | undefined> {
	return setPolicy("--other", pids);
}

/** The first one decides whether it went well: others may have ended meanwhile. */
async function setPolicy(
	policy: "--idle" | "--other",
	pids: readonly number[],
): Promise<string | undefined> {
	const set = (pid: number) =>
		promisify(execFile)("chrt", [
			...["--all-tasks", policy, "--pid", "0", String(pid)],
		]);
	const [first] = await Promise.allSettled(pids.map(set));
	return first?.status === "rejected"
		? String((first.reason as Error).message).trim()
		: undefined;
}
