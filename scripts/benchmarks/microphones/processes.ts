/** The processes that this one started. */
import { execFileSync } from "node:child_process";

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
