/** How long the event loop of this process is blocked. */
import { readFileSync } from "node:fs";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * The longest turn of the event loop during an action, in milliseconds of CPU time of its thread: time used by other processes is not counted. (proc(5): the
 * first number of `schedstat`, nanoseconds.) What the test left for the garbage collector is collected before, because it would be counted as the action's.
 */
export async function longestTurnMs(
	act: () => Promise<unknown>,
): Promise<number> {
	collectGarbage();
	let isDone = false;
	let longestMs = 0;
	const watch = async () => {
		for (let beforeMs = onCpuMs(); ; ) {
			const isLast = isDone;
			const nowMs = onCpuMs();
			longestMs = Math.max(longestMs, nowMs - beforeMs);
			if (isLast) return;
			beforeMs = onCpuMs();
			await yieldToEventLoop();
		}
	};
	const watching = watch();
	try {
		await act();
	} finally {
		isDone = true;
		await watching;
	}
	return longestMs;
}

function onCpuMs(): number {
	const text = readFileSync("/proc/thread-self/schedstat", "utf8");
	return Number(text.split(" ")[0]) / 1e6;
}
