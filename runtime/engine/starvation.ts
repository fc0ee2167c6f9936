/**
 * Whether a silent process hangs, or only gets no processor: an engine that gives way to all others may wait for minutes while they work. Seen from Linux' /proc:
 * a thread that is ready to run (state R) and hardly ran. Elsewhere nobody is ever starved.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const lookMs = 1000;
/** Who runs less of the time that it is ready is starved. */
const shareMin = 0.5;

interface Thread {
	readonly isReady: boolean;
	readonly ranMs: number;
}

/** Takes a second. @returns whether one of its threads waits for a core most of the time. */
export async function isStarved(pid: number | undefined): Promise<boolean> {
	const before = threadsOf(pid);
	await sleep(lookMs);
	for (const [id, now] of threadsOf(pid)) {
		const then = before.get(id);
		if (!then?.isReady || !now.isReady) continue;
		if (now.ranMs - then.ranMs < shareMin * lookMs) return true;
	}
	return false;
}

function threadsOf(pid: number | undefined): Map<string, Thread> {
	const threads = new Map<string, Thread>();
	try {
		for (const id of readdirSync(`/proc/${pid}/task`))
			threads.set(id, threadOf(`/proc/${pid}/task/${id}`));
	} catch {
		// it is gone, or this is no Linux
	}
	return threads;
}

/** proc(5): the state is field 3 of `stat`, behind a name in brackets; the first of `schedstat` is nanoseconds run. */
function threadOf(folder: string): Thread {
	const stat = readFileSync(`${folder}/stat`, "utf8");
	const [ranNs] = readFileSync(`${folder}/schedstat`, "utf8").split(" ");
	return {
		isReady: stat.charAt(stat.lastIndexOf(")") + 2) === "R",
		ranMs: Number(ranNs) / 1e6,
	};
}
