/**
 * Messages on their way to the broker of the fleet, and those that it would not take. What was heard stands here as it will be sent; of a finished task only
 * that it is to be told, in the transaction that finishes it.
 *
 * Keys: `e/<number>`, in the order in which it was said; `t/<task>`.
 */
import type { Database, KeyedRow, Table, Write } from "./database.js";

export interface FleetMessageRow {
	/** Those of one stream are sent in order, one after the other. */
	readonly stream: string;
	readonly topic: string;
	readonly body:
		| { readonly is: "text"; readonly text: string }
		| { readonly is: "task"; readonly id: string };
	/** Unix time. */
	readonly createdSeconds: number;
	/** That the broker refused it, or died of it. */
	readonly tries: number;
}

export interface DeadLetterRow extends FleetMessageRow {
	readonly why: string;
	readonly diedSeconds: number;
}

const numberDigits = 15;
export const eventKey = (order: number) =>
	`e/${String(order).padStart(numberDigits, "0")}`;
export const taskKey = (id: string) => `t/${id}`;

export class FleetOutboxRepository {
	readonly #database: Database;
	readonly #rows: Table<FleetMessageRow>;
	readonly #dead: Table<DeadLetterRow>;

	constructor(database: Database) {
		this.#database = database;
		this.#rows = database.table("fleet.outbox");
		this.#dead = database.table("fleet.dead");
	}

	get(key: string): FleetMessageRow | undefined {
		return this.#rows.get(key);
	}

	/** At most so many behind a key, in order. @param after "" for the first. */
	slice(after: string, rowsMax: number): KeyedRow<FleetMessageRow>[] {
		return this.#rows.slice(after === "" ? {} : { after }, rowsMax);
	}

	putting(key: string, row: FleetMessageRow): Write {
		return this.#rows.putting(key, row);
	}

	/** @throws StoreError */
	put(key: string, row: FleetMessageRow): Promise<void> {
		return this.#rows.put(key, row);
	}

	/** @throws StoreError */
	remove(key: string): Promise<void> {
		return this.#rows.remove(key);
	}

	/** Out of the way of those behind it. @throws StoreError */
	bury(key: string, row: DeadLetterRow): Promise<void> {
		return this.#database.together([
			this.#rows.removing(key),
			this.#dead.putting(key, row),
		]);
	}

	/** Longest dead first. */
	dead(): KeyedRow<DeadLetterRow>[] {
		return [...this.#dead.rows()].sort(
			(one, other) => one.value.diedSeconds - other.value.diedSeconds,
		);
	}

	/** @throws StoreError */
	forget(key: string): Promise<void> {
		return this.#dead.remove(key);
	}

	/** To be sent once more, before all others of its stream. @throws StoreError */
	revive(
		key: string,
		{ why, diedSeconds, ...row }: DeadLetterRow,
	): Promise<void> {
		return this.#database.together([
			this.#dead.removing(key),
			this.#rows.putting(key, { ...row, tries: 0 }),
		]);
	}
}
