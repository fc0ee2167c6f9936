/**
 * Callbacks to be delivered: one a task, put in with its completion or failure, and every try that was made. What is to be said is read from the task and its
 * result when it is said.
 */
import type { Database, Table, Write } from "./database.js";
import { walk } from "./walk.js";

export interface CallbackTry {
	/** Unix time in seconds. */
	readonly atSeconds: number;
	readonly tookMs: number;
	/** What came back: an HTTP status; undefined where nothing did. */
	readonly http?: number;
	/** Why it was not delivered. */
	readonly why?: string;
}

export interface CallbackRow {
	readonly taskId: string;
	readonly url: string;
	/** Not before. Unix time in seconds; Infinity is not JSON, so what waits no more has `state` beside it. */
	readonly dueSeconds: number;
	readonly state: "waiting" | "delivered" | "given up";
	readonly createdSeconds: number;
	/** The same by the clock that ages are told by; rows of older versions have none. */
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

	/** @returns false where it was removed meanwhile; then nothing is written. @throws StoreError */
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
