/** Tasks that the command line wants removed: only the server changes tasks, so the command line leaves a request, which the server polls. */
import type { Database, Table } from "./database.js";

interface RemovalRequestRow {
	readonly askedSeconds: number;
}

export class RemovalRequestRepository {
	readonly #rows: Table<RemovalRequestRow>;

	constructor(database: Database) {
		this.#rows = database.table("task-wishes");
	}

	/** @throws StoreError */
	put(taskId: string, askedSeconds: number): Promise<void> {
		return this.#rows.put(taskId, { askedSeconds });
	}

	/** Tasks to be removed. */
	list(): string[] {
		if (this.#rows.isEmpty()) return [];
		return [...this.#rows.rows()].map((it) => it.key);
	}

	/** The request is done. @throws StoreError */
	remove(taskId: string): Promise<void> {
		return this.#rows.remove(taskId);
	}
}
