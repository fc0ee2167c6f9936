/** The processes that this one started. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** @param word of its command line. */
export function childPid(word: string): number | undefined {
	const lines = execFileSync("ps", [
		...["--ppid", String(process.pid), "-o", "pid=,args="],
	])
		.toString()
		.split("\n");
	const line = lines.find((it) => it.includes(word));
	return line === undefined ? undefined : Number.parseInt(line, 10);
}

/** User and system time of a process, seconds (proc_pid_stat(5), fields 14 and 15). */
export function cpuSeconds(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const ticksPerSecond = 100;
	return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
