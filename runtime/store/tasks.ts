/**
 * Tasks of file transcription: what is said of each, and the options it came with. What it has heard so far and its result lie in tables of their own
 * (task-work.ts, task-results.ts), whose changes go into the same transaction (`more`).
 *
 * INVARIANTS
 * - What was acknowledged is on the disk; a change and all that belongs to it is one transaction.
 * - `order` counts up: who came first is told without a clock.
 * - Only the server changes tasks (the directory's lock sees to that), so what is said of them is read once and kept in memory.
 */
import type { Owner } from "../owner.js";
import type { Database, Table, Write } from "./database.js";
import { IndexedRows } from "./indexed-rows.js";
import { ownedTable } from "./owned-rows.js";
import { type Codec, codecOf } from "./row-codec.js";

/** In the order of their numbers, which stand for them on the disk and at the API (docs/decisions.md section 7). */
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
	/** As the client named it. */
	readonly fileName: string;
	readonly audioId: string;
	readonly audioMs: number;
	readonly state: TaskState;
	/** Unix times in seconds. */
	readonly insertSeconds: number;
	readonly processSeconds?: number;
	readonly finishSeconds?: number;
	/** The same by the clock that ages are told by (`Clock.operatingSeconds`); rows of older versions have none. */
	readonly insertOperatingSeconds?: number;
	readonly finishOperatingSeconds?: number;
	readonly failure?: { readonly status: string; readonly message: string };
	/** What a person should know of it. */
	readonly notes: readonly string[];
	/** The audio was removed from its shelf. */
	readonly audioGone?: boolean;
	/** What it was asked for with, where whoever asks twice is to get one task: hashes of who asked under which name, and of what. */
	readonly request?: { readonly key: string; readonly content: string };
}

/** Ids come from outside, too: a key over lmdb's limit would throw. */
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

	/** Before anybody asks: there may be very many. */
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

	/** For the next task; each is told once. */
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

	/** @param more written with it, or not at all. @throws StoreError */
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

/** On the disk a state is its number. */
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
