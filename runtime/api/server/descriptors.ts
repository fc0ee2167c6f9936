/**
 * How many connections fit under this process's limit of open files. Each may have a file as well (an upload, a recording, an answer that is streamed), and the
 * rest of the house needs some: the database, pipes to engines, decoders, calls to other hosts. Out of descriptors the library below would turn in a busy loop over
 * the connection that it can't accept.
 */
import { readFileSync } from "node:fs";

/** For the house, at least; of a larger limit an eighth. */
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

/** The limit in force: Node has raised the soft one to the hard one at its start. Infinity where there is none, or nobody knows. */
export function descriptorsMax(): number {
	try {
		const limits = readFileSync("/proc/self/limits", "utf8");
		const [, soft = ""] = /^Max open files +(\d+)/m.exec(limits) ?? [];
		return soft === "" ? Number.POSITIVE_INFINITY : Number(soft);
	} catch {
		return Number.POSITIVE_INFINITY; // no Linux
	}
}
