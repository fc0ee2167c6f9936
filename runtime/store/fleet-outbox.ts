/**
 * Messages for the fleet's broker, and those that it refused. Recognized speech is stored in the form in which it is sent; of a finished task only a notice is
 * stored, in the transaction that finishes it.
 *
 * Keys: `e/<number>`, in the order of creation; `t/<task>`.
 */
import type { Database, KeyedRow, Table, Write } from "./database.js";

export interface FleetMessageRow {
	/** Messages of one stream are sent in order, one after the other. */
	readonly stream: string;
	/** When it was stored, for people; it is sent to the topic that its body has now. */
	readonly topic: string;
	readonly body:
		| { readonly is: "text"; readonly text: string }
		| { readonly is: "task"; readonly id: string };
	/** Unix time. */
	readonly createdSeconds: number;
	/** Times that the broker refused it, or crashed on it. */
	readonly tries: number;
}

export interface DeadLetterRow extends FleetMessageRow {
	readonly why: string;
	/** Unix time, for people: a clock may be set. */
	readonly diedSeconds: number;
	/** Counts deaths; absent: it died before those that have one. */
	readonly order?: number;
}

const numberDigits = 15;
export const eventKey = (order: number) =>
	`e/${String(order).padStart(numberDigits, "0")}`;
export const taskKey = (id: string) => `t/${id}`;

export class FleetOutboxRepository {
	readonly #database: Database;
	readonly #rows: Table<FleetMessageRow>;
	readonly #dead: Table<DeadLetterRow>;
	#lastOrder: number | undefined;

	constructor(database: Database) {
		this.#database = database;
		this.#rows = database.table("fleet.outbox");
		this.#dead = database.table("fleet.dead");
	}

	get(key: string): FleetMessageRow | undefined {
		return this.#rows.get(key);
	}

	/** Rows after a key, in order. @param after "" for the first. */
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

	/** Moves a message to the dead letters. @throws StoreError */
	bury(key: string, row: DeadLetterRow): Promise<void> {
		this.#lastOrder ??= this.dead().at(-1)?.value.order ?? 0;
		const order = ++this.#lastOrder;
		return this.#database.together([
			this.#rows.removing(key),
			this.#dead.putting(key, { ...row, order }),
		]);
	}

	/** The oldest dead letter first. */
	dead(): KeyedRow<DeadLetterRow>[] {
		return [...this.#dead.rows()].sort(
			({ value: one }, { value: other }) =>
				(one.order ?? 0) - (other.order ?? 0) ||
				one.diedSeconds - other.diedSeconds,
		);
	}

	deadCount(): number {
		return this.#dead.count({});
	}

	/** @throws StoreError */
	forget(key: string): Promise<void> {
		return this.#dead.remove(key);
	}

	/** Moves a dead letter back to the outbox, ahead of all others of its stream. @throws StoreError */
	revive(
		key: string,
		{ why, diedSeconds, order, ...row }: DeadLetterRow,
	): Promise<void> {
		return this.#database.together([
			this.#dead.removing(key),
			this.#rows.putting(key, { ...row, tries: 0 }),
		]);
	}
}
