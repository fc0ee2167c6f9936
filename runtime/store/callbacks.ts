/**
 * Callbacks to deliver: one per task, stored in the transaction of its completion or failure, with every try. The body is built from the task and its result
 * when it is sent.
 */
import type { Database, Table, Write } from "./database.js";
import { walk } from "./walk.js";

export interface CallbackTry {
	/** Unix time in seconds. */
	readonly atSeconds: number;
	readonly tookMs: number;
	/** HTTP status of the answer; undefined where there was none. */
	readonly http?: number;
	/** Why it was not delivered. */
	readonly why?: string;
}

export interface CallbackRow {
	readonly taskId: string;
	readonly url: string;
	/** Time of the next try, Unix time in seconds; finished callbacks are marked by `state`, since JSON has no Infinity. */
	readonly dueSeconds: number;
	/** `dueSeconds` on the operating clock, which no restart in 1970 sets back; rows of older versions have none. */
	readonly dueOperatingSeconds?: number;
	readonly state: "waiting" | "delivered" | "given up";
	readonly createdSeconds: number;
	/** `createdSeconds` on the operating clock, which is used for ages; rows of older versions have none. */
	readonly createdOperatingSeconds?: number;
	readonly tries: readonly CallbackTry[];
}

export class CallbackRepository {
	readonly #rows: Table<CallbackRow>;

	constructor(database: Database) {
		this.#rows = database.table("outbox");
	}

	find(taskId: string): CallbackRow | undefined {
		return this.#rows.get(taskId);
	}

	async *list(): AsyncGenerator<CallbackRow> {
		for await (const { value } of walk(this.#rows)) yield value;
	}

	putting(row: CallbackRow): Write {
		return this.#rows.putting(row.taskId, row);
	}

	/** @returns false if it was removed meanwhile; then nothing is written. @throws StoreError */
	update(row: CallbackRow): Promise<boolean> {
		return this.#rows.putOver(row.taskId, row);
	}

	removing(taskId: string): Write {
		return this.#rows.removing(taskId);
	}

	/** @throws StoreError */
	remove(taskId: string): Promise<void> {
		return this.#rows.remove(taskId);
	}
}
