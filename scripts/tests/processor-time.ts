/** Processor time of processes that this one started. Node tells it of the own process only. */
import { readFileSync } from "node:fs";

/** USER_HZ, the unit of /proc/PID/stat: the same on every Linux that Node supports. */
const ticksPerSecond = 100;
/** proc(5) numbers the fields from 1; the second one, the command's name, may contain spaces and ends with the last bracket. */
const [childUser, childSystem] = [16, 17];

let counted = 0;

/**
 * User and system time, in seconds, of children that ended since the last call, each with those that it started and waited for. Called when one exits; if two
 * exit in the same turn of the event loop, the first call counts both.
 */
export function endedProcessorSeconds(): number {
	const seconds = childSeconds() - counted;
	counted += seconds;
	return seconds;
}

/** User and system time of this process and of its children that ended, in seconds. */
export function usedProcessorSeconds(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1e6 + childSeconds();
}

function childSeconds(): number {
	const stat = readFileSync("/proc/self/stat", "utf8");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const ticks = [childUser, childSystem].reduce(
		(sum, field) => sum + Number(fields[field - 3]),
		0,
	);
	return ticks / ticksPerSecond;
}
