/** What the kernel says of a process, and which one a number means: numbers come back, and in a container soon. */
import { readFileSync } from "node:fs";

/** Clock ticks from boot to the process's start: field 22. Empty: no such process. */
export function startTicksOf(pid: number): string {
	return statOf(pid)?.[19] ?? "";
}

/** proc(5), /proc/PID/stat: from field 3 on, behind the name, which may hold spaces and brackets; undefined: it is gone, or this is no Linux. */
export function statOf(pid: number): string[] | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	} catch {
		return undefined;
	}
}
