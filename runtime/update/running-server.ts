/**
 * Checks that the new program is the one that is healthy. A server that answers may be the old one, not yet restarted: so the process is also identified by the
 * file that it runs.
 */
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Places } from "./places.js";

export interface HealthWatch {
	/** `http://127.0.0.1:7100/healthz` */
	readonly url: string;
	readonly seconds: number;
	/** Time that the previous version's server may take to end: `seconds` count from then. Default: 0. */
	readonly drainSeconds?: number;
	readonly signal?: AbortSignal;
}

export const checkEveryMs = 500;
const answerMsMax = 2000;
/** Consecutive checks of the same process: one that dies as soon as it is ready is not healthy. */
export const checks = 4;

/** @param isDecided ends the watch early. @returns undefined once it is healthy, else the last problem. */
export async function untilHealthy(
	places: Places,
	{ url, seconds, drainSeconds = 0, signal }: HealthWatch,
	isDecided: () => Promise<boolean> = async () => false,
): Promise<string | undefined> {
	const drainedMs = performance.now() + drainSeconds * 1000;
	/** Undefined while the previous version's server runs on. */
	const untilOnceDrained = async () => {
		const nowMs = performance.now();
		return nowMs >= drainedMs || !(await serverOf(places.previous))
			? nowMs + seconds * 1000
			: undefined;
	};
	let untilMs: number | undefined;
	let good = 0;
	let last: number | undefined;
	for (;;) {
		signal?.throwIfAborted();
		untilMs ??= await untilOnceDrained();
		const pid = await serverOf(places.program);
		const trouble =
			pid === undefined
				? "no server of the new program is running"
				: await healthOf(url);
		good = trouble === undefined && (good === 0 || pid === last) ? good + 1 : 0;
		last = pid;
		if (good >= checks) return undefined;
		if (await isDecided()) return undefined;
		if (untilMs !== undefined && performance.now() > untilMs)
			return trouble ?? "it died repeatedly";
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

/** Whether a server listens there. One that is about to end has closed its port, a moment after it was told to. */
export async function listensAt(url: string): Promise<boolean> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ""));
	// sockets are read between timers and setImmediate: this process may have been held up, not the server
	const onLate = () => {
		if (socket.connecting) socket.destroy(new Error("no answer"));
	};
	const timer = setTimeout(() => setImmediate(onLate), answerMsMax);
	try {
		await once(socket, "connect");
		return true;
	} catch {
		return false;
	} finally {
		clearTimeout(timer);
		socket.destroy();
	}
}

/** A process that runs exactly this file as `earshot serve`. */
export async function serverOf(program: string): Promise<number | undefined> {
	return (await serversOf(program))[0];
}

/** All of them: two servers may run the same program. */
export async function serversOf(program: string): Promise<readonly number[]> {
	if (!(await stat(program).catch(() => undefined))) return [];
	const servers: number[] = [];
	for (const name of await readdir("/proc"))
		if (/^\d+$/.test(name) && (await isServerOf(program, Number(name))))
			servers.push(Number(name));
	return servers;
}

/** Whether this process runs exactly this file as `earshot serve`. */
export async function isServerOf(
	program: string,
	pid: number,
): Promise<boolean> {
	try {
		const words = await readFile(`/proc/${pid}/cmdline`, "utf8");
		if (!words.split("\0").includes("serve")) return false;
		const file = await stat(`/proc/${pid}/exe`);
		const wanted = await stat(program);
		return file.dev === wanted.dev && file.ino === wanted.ino;
	} catch {
		return false; // it has ended, or belongs to another user
	}
}
