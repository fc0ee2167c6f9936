/** What the kernel reports about a process, and how to tell processes apart by more than the pid, which is reused (in containers soon). */
import { readFileSync } from "node:fs";

/** Clock ticks from boot to the process's start: field 22. Empty: no such process. */
export function startTicksOf(pid: number): string {
	return statOf(pid)?.[19] ?? "";
}

/** Also of a process of another user, which /proc may hide (ProtectProc=). */
export function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code !== "ESRCH";
	}
}

/** proc(5), /proc/PID/stat: from field 3 on, after the name, which may contain spaces and brackets; undefined: the process has exited, or this is not Linux. */
export function statOf(pid: number): string[] | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	} catch {
		return undefined;
	}
}
