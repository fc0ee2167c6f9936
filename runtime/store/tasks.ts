/**
 * Tasks of file transcription: the row of each and its options. Its utterances and its result are in separate tables (task-work.ts, task-results.ts), whose
 * changes are part of the same transaction (`more`).
 *
 * INVARIANTS
 * - Acknowledged writes are on the disk; a change and everything that belongs to it is one transaction.
 * - `order` increases: the order of tasks does not depend on a clock.
 * - Only the server changes tasks (ensured by the directory's lock), so the rows are read once and cached in memory.
 */
import type { Owner } from "../owner.js";
import type { Database, Table, Write } from "./database.js";
import { IndexedRows } from "./indexed-rows.js";
import { ownedTable } from "./owned-rows.js";
import { type Codec, codecOf } from "./row-codec.js";

/** In the order of their numbers, which represent them on the disk and in the API (docs/decisions.md section 7). */
export const taskStates = [
	"failed",
	"completed",
	"processing",
	"queued",
] as const;

export type TaskState = (typeof taskStates)[number];

export function isUnfinished(state: TaskState): boolean {
	return state === "processing" || state === "queued";
}

export interface TaskRow {
	readonly id: string;
	readonly owner: Owner;
	readonly order: number;
	readonly vip: boolean;
	/** Name given by the client. */
	readonly fileName: string;
	readonly audioId: string;
	readonly audioMs: number;
	readonly state: TaskState;
	/** Unix times in seconds. */
	readonly insertSeconds: number;
	readonly processSeconds?: number;
	readonly finishSeconds?: number;
	/** The same by the operating clock (`Clock.operatingSeconds`), which is used for ages; rows of older versions have none. */
	readonly insertOperatingSeconds?: number;
	readonly finishOperatingSeconds?: number;
	readonly failure?: { readonly status: string; readonly message: string };
	/** Notes for people. */
	readonly notes: readonly string[];
	/** The audio was removed from the shelf. */
	readonly audioGone?: boolean;
	/** Its speech comes from a call, of this name, and is recognized while it is spoken. */
	readonly call?: string;
	/** The request that created it, where repeated requests get one task: hashes of the caller with its name for the request, and of its content. */
	readonly request?: { readonly key: string; readonly content: string };
	/** A client waits for it on an open connection, which no restart leaves open. */
	readonly isAwaited?: true;
}

/** Ids may come from outside: a key above lmdb's limit would throw. */
const idPattern = /^[\w-]{1,100}$/;

export class TaskRepository<Options> {
	readonly #rows: IndexedRows<TaskRow>;
	readonly #options: Table<Options>;
	#lastOrder = 0;

	constructor(database: Database) {
		this.#rows = new IndexedRows(
			database,
			ownedTable<TaskRow>(database, "tasks", stateCodec(codecOf("tasks"))),
			(one, other) => one.order - other.order,
		);
		this.#options = database.table("tasks.options");
	}

	/** Called before the first use: there may be many tasks. */
	load(): Promise<void> {
		return this.#rows.load();
	}

	find(id: string): TaskRow | undefined {
		return this.#rows.all.get(id);
	}

	/** Oldest first. */
	list(): Iterable<TaskRow> {
		return this.#rows.all.values();
	}

	get size(): number {
		return this.#rows.all.size;
	}

	options(id: string): Options | undefined {
		return idPattern.test(id) ? this.#options.get(id) : undefined;
	}

	/** Order of the next task; each is returned once. */
	takeOrder(): number {
		if (this.#lastOrder === 0)
			for (const { order } of this.#rows.all.values()) this.#lastOrder = order;
		return ++this.#lastOrder;
	}

	/** @throws StoreError; RangeError where the id can't be a key */
	async add(row: TaskRow, options: Options): Promise<void> {
		if (!idPattern.test(row.id)) throw new RangeError("invalid task id");
		await this.#rows.write(row.id, row, [
			this.#options.putting(row.id, options),
		]);
	}

	/** @param more writes of the same transaction. @throws StoreError */
	async change(row: TaskRow, more: readonly Write[] = []): Promise<void> {
		await this.#rows.write(row.id, row, more);
	}

	/** @throws StoreError */
	async remove(id: string, more: readonly Write[] = []): Promise<void> {
		await this.#rows.write(id, undefined, [
			this.#options.removing(id),
			...more,
		]);
	}
}

/** On the disk a state is stored as its number. */
function stateCodec({ encode, decode }: Codec): Codec {
	return {
		encode: (value) => {
			const row = value as TaskRow;
			return encode({ ...row, state: taskStates.indexOf(row.state) });
		},
		decode: (bytes) => {
			const row = decode(bytes) as { state: number };
			return Object.assign(row, { state: taskStates[row.state] });
		},
	};
}
