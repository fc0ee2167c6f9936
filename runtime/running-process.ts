/** Which process a number means: numbers come back, and in a container soon. */
import { readFileSync } from "node:fs";

/** Clock ticks from boot to the process's start: field 22 of /proc/PID/stat; the name in field 2 may hold spaces and brackets. Empty: no such process. */
export function startTicksOf(pid: number): string {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
	} catch {
		return "";
	}
}
