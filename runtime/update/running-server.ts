/**
 * Checks that the new program is the one that is healthy. A server that answers may be the old one, not yet restarted: so the process is also identified by the
 * file that it runs.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Places } from "./places.js";

export interface HealthWatch {
	/** `http://127.0.0.1:7100/healthz` */
	readonly url: string;
	readonly seconds: number;
	readonly signal?: AbortSignal;
}

const checkEveryMs = 500;
const answerMsMax = 2000;
/** Consecutive checks of the same process: one that dies as soon as it is ready is not healthy. */
const checks = 4;

/** @param isDecided ends the watch early. @returns undefined once it is healthy, else the last problem. */
export async function untilHealthy(
	places: Places,
	{ url, seconds, signal }: HealthWatch,
	isDecided: () => Promise<boolean> = async () => false,
): Promise<string | undefined> {
	const until = performance.now() + seconds * 1000;
	let good = 0;
	let last: number | undefined;
	for (;;) {
		signal?.throwIfAborted();
		const pid = await serverOf(places.program);
		const trouble =
			pid === undefined
				? "no server of the new program is running"
				: await healthOf(url);
		good = trouble === undefined && (good === 0 || pid === last) ? good + 1 : 0;
		last = pid;
		if (good >= checks) return undefined;
		if (await isDecided()) return undefined;
		if (performance.now() > until) return trouble ?? "it died repeatedly";
		await sleep(checkEveryMs, undefined, { signal }).catch(() => {});
	}
}

/** @returns the problem, or undefined. */
async function healthOf(url: string): Promise<string | undefined> {
	try {
		const { status } = await fetch(url, {
			signal: AbortSignal.timeout(answerMsMax),
		});
		return status === 200 ? undefined : `${url} answers ${status}`;
	} catch (error) {
		const { message, cause } = error as Error & { cause?: Error };
		return `${url}: ${cause?.message ?? message}`;
	}
}

/** The process that runs exactly this file as `earshot serve`. */
export async function serverOf(program: string): Promise<number | undefined> {
	const wanted = await stat(program).catch(() => undefined);
	if (!wanted) return undefined;
	const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
	for (const pid of pids)
		try {
			const words = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split(
				"\0",
			);
			if (!words.includes("serve")) continue;
			const file = await stat(`/proc/${pid}/exe`);
			if (file.dev === wanted.dev && file.ino === wanted.ino)
				return Number(pid);
		} catch {} // it has ended, or belongs to another user
	return undefined;
}
