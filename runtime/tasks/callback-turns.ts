/**
 * Which callback goes next. Pure.
 *
 * INVARIANTS
 * - A receiver (host and port) is called once at a time: one that lets everybody wait holds up nobody else.
 * - Owners share the places (fair-share.ts) and take turns, also at one receiver; of one owner's callbacks the one that is due first goes first.
 */
import { FairShare } from "../limits/fair-share.js";
import type { CallbackRow } from "../store/callbacks.js";

/** More would be more results in memory at the same time. */
const atOnceMax = 8;

interface Waiting {
	readonly row: CallbackRow;
	readonly receiver: string;
	/** Not before. */
	readonly dueSeconds: number;
}

export interface CallbackTurn {
	readonly row: CallbackRow;
	/** Its try is over; idempotent. */
	end(): void;
}

export class CallbackTurns {
	/** By owner, the one first whose turn was longest ago; then by task. */
	readonly #waiting = new Map<string, Map<string, Waiting>>();
	readonly #owners = new Map<string, string>();
	/** Tasks and receivers of the tries under way. */
	readonly #trying = new Set<string>();
	readonly #called = new Set<string>();
	readonly #shares = new FairShare(() => atOnceMax);

	/** Not delivered yet, those under way included. */
	get size(): number {
		return this.#owners.size;
	}

	/** It waits from now on, or goes on waiting until another time. @param dueSeconds by the same clock as `take` is told. */
	put(row: CallbackRow, owner: string, dueSeconds: number): void {
		this.remove(row.taskId);
		const rows = this.#waiting.get(owner) ?? new Map<string, Waiting>();
		rows.set(row.taskId, { row, receiver: receiverOf(row.url), dueSeconds });
		this.#waiting.set(owner, rows);
		this.#owners.set(row.taskId, owner);
	}

	/** It waits no more; a try that is under way goes on. */
	remove(taskId: string): void {
		const owner = this.#owners.get(taskId);
		if (owner === undefined) return;
		const rows = this.#waiting.get(owner);
		rows?.delete(taskId);
		if (rows?.size === 0) this.#waiting.delete(owner);
		this.#owners.delete(taskId);
	}

	/** The one to be tried now, and its place; undefined where none is due or may. */
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

	/** When the next one is due that is not yet. */
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
		for (const it of rows) {
			if (it.dueSeconds > nowSeconds) continue;
			if (first && it.dueSeconds >= first.dueSeconds) continue;
			if (this.#trying.has(it.row.taskId)) continue;
			if (!this.#called.has(it.receiver)) first = it;
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

/** Host and port of a URL that was checked when it came; of one that can't be read the text itself, which will fail by itself. */
function receiverOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { hostname, port, protocol } = new URL(url);
	return `${hostname.replace(/\.$/, "")}:${port || protocol}`;
}
