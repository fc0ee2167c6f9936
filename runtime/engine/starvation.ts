/**
 * Whether a silent process hangs or merely gets no CPU time: an idle-priority engine may wait for minutes while other processes work. Read from Linux' /proc:
 * a thread that is ready to run (state R) and hardly ran. On other systems no process counts as starved.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const checkMs = 1000;
/** A thread that runs less of the time that it is ready is starved. */
const shareMin = 0.5;

interface Thread {
	readonly isReady: boolean;
	readonly ranMs: number;
}

/** Takes a second. @returns whether one of its threads waits for a core most of the time. */
export async function isStarved(pid: number | undefined): Promise<boolean> {
	const before = threadsOf(pid);
	await sleep(checkMs);
	for (const [id, now] of threadsOf(pid)) {
		const then = before.get(id);
		if (!then?.isReady || !now.isReady) continue;
		if (now.ranMs - then.ranMs < shareMin * checkMs) return true;
	}
	return false;
}

function threadsOf(pid: number | undefined): Map<string, Thread> {
	const threads = new Map<string, Thread>();
	try {
		for (const id of readdirSync(`/proc/${pid}/task`))
			threads.set(id, threadOf(`/proc/${pid}/task/${id}`));
	} catch {
		// the process has exited, or this is not Linux
	}
	return threads;
}

/** proc(5): the state is field 3 of `stat`, after a name in brackets; the first field of `schedstat` is nanoseconds run. */
function threadOf(folder: string): Thread {
	const stat = readFileSync(`${folder}/stat`, "utf8");
	const [ranNs] = readFileSync(`${folder}/schedstat`, "utf8").split(" ");
	return {
		isReady: stat.charAt(stat.lastIndexOf(")") + 2) === "R",
		ranMs: Number(ranNs) / 1e6,
	};
}
