/**
 * How many connections fit under this process's limit of open files. Each may have a file as well (an upload, a recording, a streamed answer), and the rest of
 * the appliance needs some: the database, pipes to engines, decoders, outbound requests. Without free descriptors the library would spin in a busy loop over
 * the connection that it can't accept.
 */
import { readFileSync } from "node:fs";

/** Minimum reserve for the rest of the appliance; an eighth of a larger limit. */
const reserveMin = 128;
const reserveShare = 1 / 8;
const perConnection = 2;
const connectionsMin = 4;

/** @param limit of open files. */
export function connectionsThatFit(limit: number): number {
	const left = Math.min(limit - reserveMin, limit * (1 - reserveShare));
	const fit = Math.floor(left / perConnection);
	return Math.max(connectionsMin, fit);
}

/** The limit in force: Node raises the soft limit to the hard one at its start. Infinity where it is unlimited or unknown. */
export function descriptorsMax(): number {
	try {
		const limits = readFileSync("/proc/self/limits", "utf8");
		const [, soft = ""] = /^Max open files +(\d+)/m.exec(limits) ?? [];
		return soft === "" ? Number.POSITIVE_INFINITY : Number(soft);
	} catch {
		return Number.POSITIVE_INFINITY; // not Linux
	}
}
