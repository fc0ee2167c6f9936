/** Tasks that somebody beside the server wants removed: only the server changes tasks, so the command line leaves a wish, and the server looks for some. */
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

	/** Fulfilled. @throws StoreError */
	remove(taskId: string): Promise<void> {
		return this.#rows.remove(taskId);
	}
}
