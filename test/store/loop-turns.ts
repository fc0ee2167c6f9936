/** How long the event loop of this process is blocked. */
import { closeSync, openSync, readSync } from "node:fs";
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
	const schedstat = openSync("/proc/thread-self/schedstat", "r");
	let isDone = false;
	let longestMs = 0;
	const watch = async () => {
		for (let beforeMs = onCpuMs(schedstat); ; ) {
			const isLast = isDone;
			const nowMs = onCpuMs(schedstat);
			longestMs = Math.max(longestMs, nowMs - beforeMs);
			if (isLast) return;
			beforeMs = onCpuMs(schedstat);
			await yieldToEventLoop();
		}
	};
	const watching = watch();
	try {
		await act();
	} finally {
		isDone = true;
		await watching;
		closeSync(schedstat);
	}
	return longestMs;
}

const bytes = Buffer.alloc(64);

/** Opened once, since opening takes longer than most turns. */
function onCpuMs(schedstat: number): number {
	const length = readSync(schedstat, bytes, 0, bytes.length, 0);
	const [nanoseconds] = bytes.toString("latin1", 0, length).split(" ");
	return Number(nanoseconds) / 1e6;
}
