/** Memory and processor time of processes, and their children, as /proc has them. */
import { readdirSync, readFileSync } from "node:fs";

/** Resident memory, MB. */
export function residentMegabytes(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1024;
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

/** The most memory that a process was ever resident with, MB. */
export function peakMegabytes(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** User and system time of a process, seconds (proc_pid_stat(5), fields 14 and 15). */
export function cpuSeconds(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const ticksPerSecond = 100;
	return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The processes that a process started, with their command lines. */
export function childrenOf(parent: number): { pid: number; command: string }[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name) => {
			try {
				const stat = readFileSync(`/proc/${name}/stat`, "utf8");
				// the name in parentheses may hold spaces: the parent is the second field after it
				const after = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
				if (Number(after[1]) !== parent) return [];
				const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
				return [{ pid: Number(name), command: command.replace(/\0/g, " ") }];
			} catch {
				return []; // ended while we looked
			}
		});
}
