/** How long the event loop of this process is blocked. */
import { readFileSync } from "node:fs";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/**
 * The longest turn of the event loop during an action, in milliseconds of CPU time of its thread: time used by other processes is not counted. (proc(5): the
 * first number of `schedstat`, nanoseconds.)
 */
export async function longestTurnMs(
	act: () => Promise<unknown>,
): Promise<number> {
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
