/**
 * How much CPU time an engine may take from other processes. Threads and programs started later inherit it, so an engine sets it before any model is loaded.
 *
 * Linux' idle policy (sched(7), SCHED_IDLE) runs a process only when no other process wants the CPU. A merely nice process still gets time slices that
 * delay live speech. Node can't set the policy; chrt, which Debian always has, can.
 */
import { execFile } from "node:child_process";
import { setPriority } from "node:os";
import { promisify } from "node:util";

/** For this process. @returns why the idle policy could not be set; undefined on success. */
export async function lowerPriority(
	niceness: number,
	idleOnly: boolean,
): Promise<string | undefined> {
	if (niceness > 0) setPriority(niceness);
	return idleOnly ? idlePolicy([process.pid]) : undefined;
}

/** @param pids processes; all their threads are changed. @returns why it failed; undefined on success. */
export function idlePolicy(
	pids: readonly number[],
): Promise<string | undefined> {
	return setPolicy("--idle", pids);
}

/** The default policy, with their niceness. @returns why it failed; undefined on success. */
export function normalPolicy(
	pids: readonly number[],
): Promise<string | undefined> {
	return setPolicy("--other", pids);
}

/** Only the result for the first process counts: others may have exited meanwhile. */
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
