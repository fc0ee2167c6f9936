/** Memory and processor time of processes, and their children, as /proc has them. */
import { readdirSync, readFileSync } from "node:fs";

/** Resident memory, MB. */
export function residentMegabytes(pid: number): number {
	return statusMegabytes(pid, "VmRSS");
}

/** The most memory that a process was ever resident with, MB. */
export function peakMegabytes(pid: number): number {
	return statusMegabytes(pid, "VmHWM");
}

/** Time that a process had a processor, ms: of all its threads that are still there, to the nanosecond. */
export function processorMs(pid: number): number {
	let nanoseconds = 0;
	for (const thread of readdirSync(`/proc/${pid}/task`)) {
		const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8");
		nanoseconds += Number(text.split(" ")[0]);
	}
	return nanoseconds / 1e6;
}

/** User and system time of a process, seconds (proc_pid_stat(5), fields 14 and 15). */
export function cpuSeconds(pid: number): number {
	const fields = statFields(pid);
	const ticksPerSecond = 100;
	return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The processes that a process started, with their command lines. */
export function childrenOf(parent: number): { pid: number; command: string }[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.flatMap((pid) => {
			try {
				// the parent is field 4
				if (Number(statFields(pid)[1]) !== parent) return [];
				const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
				return [{ pid, command: command.replace(/\0/g, " ") }];
			} catch {
				return []; // ended while we looked
			}
		});
}

/** A process that this one started. @param word of its command line. */
export function childPid(word: string): number | undefined {
	return childrenOf(process.pid).find(({ command }) => command.includes(word))
		?.pid;
}

function statusMegabytes(pid: number, name: string): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1];
	return Number(kilobytes ?? Number.NaN) / 1024;
}

/** Of proc_pid_stat(5), from field 3 on: the name before it, in parentheses, may hold spaces. */
function statFields(pid: number): string[] {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
