/**
 * Chooses the next callback to try. Pure.
 *
 * INVARIANTS
 * - A receiver (host and port) gets one call at a time: a slow one delays nobody else.
 * - Owners share the places (fair-share.ts) and take turns, also at one receiver; among one owner's callbacks the one that is due first is tried first.
 */
import { FairShare } from "../limits/fair-share.js";
import type { CallbackRow } from "../store/callbacks.js";

/** More tries would keep more results in memory at the same time. */
const atOnceMax = 8;

interface Waiting {
	readonly row: CallbackRow;
	readonly receiver: string;
	/** Not tried before this. */
	readonly dueSeconds: number;
}

export interface CallbackTurn {
	readonly row: CallbackRow;
	/** Ends the try; idempotent. */
	end(): void;
}

export class CallbackTurns {
	/** By owner, beginning with the one whose turn was longest ago; then by task. */
	readonly #waiting = new Map<string, Map<string, Waiting>>();
	readonly #owners = new Map<string, string>();
	/** Tasks and receivers of the tries in progress. */
	readonly #trying = new Set<string>();
	readonly #called = new Set<string>();
	readonly #shares = new FairShare(() => atOnceMax);

	/** Not delivered yet, including those in progress. */
	get size(): number {
		return this.#owners.size;
	}

	/** Adds a callback, or changes the time of its next try. @param dueSeconds by the same clock as `nowSeconds` of `take`. */
	put(row: CallbackRow, owner: string, dueSeconds: number): void {
		this.remove(row.taskId);
		const rows = this.#waiting.get(owner) ?? new Map<string, Waiting>();
		rows.set(row.taskId, { row, receiver: receiverOf(row.url), dueSeconds });
		this.#waiting.set(owner, rows);
		this.#owners.set(row.taskId, owner);
	}

	/** Removes a callback; a try in progress continues. */
	remove(taskId: string): void {
		const owner = this.#owners.get(taskId);
		if (owner === undefined) return;
		const rows = this.#waiting.get(owner);
		rows?.delete(taskId);
		if (rows?.size === 0) this.#waiting.delete(owner);
		this.#owners.delete(taskId);
	}

	/** @returns the callback to try now; undefined where none is due or no place is free. */
	take(nowSeconds: number): CallbackTurn | undefined {
		const first = new Map<string, Waiting>();
		for (const [owner, rows] of this.#waiting) {
			const due = this.#firstDue(rows.values(), nowSeconds);
			if (due) first.set(owner, due);
		}
		const owner = this.#shares.next(first.keys());
		if (owner === undefined) return undefined;
		const { row, receiver } = first.get(owner) as Waiting;
		this.#moveBehind(owner);
		this.#trying.add(row.taskId);
		this.#called.add(receiver);
		const giveBack = this.#shares.take(owner);
		const end = () => {
			if (!this.#trying.delete(row.taskId)) return;
			this.#called.delete(receiver);
			giveBack();
		};
		return { row, end };
	}

	/** @returns when the next callback becomes due. */
	nextDueSeconds(nowSeconds: number): number | undefined {
		let soonest: number | undefined;
		for (const rows of this.#waiting.values())
			for (const { row, dueSeconds } of rows.values()) {
				if (dueSeconds <= nowSeconds || this.#trying.has(row.taskId)) continue;
				soonest = Math.min(soonest ?? dueSeconds, dueSeconds);
			}
		return soonest;
	}

	#firstDue(rows: Iterable<Waiting>, nowSeconds: number): Waiting | undefined {
		let first: Waiting | undefined;
		for (const waiting of rows) {
			if (waiting.dueSeconds > nowSeconds) continue;
			if (first && waiting.dueSeconds >= first.dueSeconds) continue;
			if (this.#trying.has(waiting.row.taskId)) continue;
			if (!this.#called.has(waiting.receiver)) first = waiting;
		}
		return first;
	}

	#moveBehind(owner: string): void {
		const rows = this.#waiting.get(owner);
		if (!rows) return;
		this.#waiting.delete(owner);
		this.#waiting.set(owner, rows);
	}
}

/** Host and port of the URL, which was checked when it was received; the text itself where it can't be parsed: its try will fail. */
function receiverOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { hostname, port, protocol } = new URL(url);
	return `${hostname.replace(/\.$/, "")}:${port || protocol}`;
}
