/**
 * Intermediate state of an unfinished task: where to resume, the words it is recognized with, its utterances, its speaker turns. Removed when the result exists.
 *
 * Utterances are stored as they arrive, several per row, under `task/channel/index of the first`: if an engine had to start again and repeats them, they
 * replace the same rows.
 */
import type { Database, Table, Write } from "./database.js";
import { walkKeys, walkPrefixes } from "./walk.js";

const rowsAtOnce = 50;
const removedAtOnce = 500;
const indexDigits = 8;

export class TaskWorkRepository<Work, Utterance, Turn, Words> {
	readonly #database: Database;
	readonly #work: Table<Work>;
	readonly #utterances: Table<readonly Utterance[]>;
	readonly #turns: Table<readonly Turn[]>;
	readonly #words: Table<Words>;

	constructor(database: Database) {
		this.#database = database;
		this.#work = database.table("tasks.work");
		this.#utterances = database.table("tasks.heard");
		this.#turns = database.table("tasks.turns");
		this.#words = database.table("tasks.words");
	}

	get(id: string): Work | undefined {
		return this.#work.get(id);
	}

	putting(id: string, work: Work): Write {
		return this.#work.putting(id, work);
	}

	/** @throws StoreError */
	put(id: string, work: Work): Promise<void> {
		return this.#work.put(id, work);
	}

	/** Those that its first run began with, if it named any. */
	words(id: string): Words | undefined {
		return this.#words.get(id);
	}

	puttingWords(id: string, words: Words): Write {
		return this.#words.putting(id, words);
	}

	/** Stores utterances and where to resume after them. @param index of the first. @throws StoreError */
	putUtterances(
		id: string,
		work: Work,
		channel: number,
		index: number,
		utterances: readonly Utterance[],
	): Promise<void> {
		const row = this.#utterances.putting(keyOf(id, channel, index), utterances);
		return this.#database.together([this.putting(id, work), row]);
	}

	/** Utterances of one channel, in order. Rows added during the iteration are included. @param afterIndex of the last one of a row. */
	*utterances(
		id: string,
		channel: number,
		afterIndex = 0,
	): Generator<Utterance> {
		const before = behind(`${id}/${channel}`);
		for (let after = keyOf(id, channel, afterIndex); ; ) {
			const rows = this.#utterances.slice({ after, before }, rowsAtOnce);
			for (const { value } of rows) yield* value;
			const last = rows.at(-1);
			if (!last || rows.length < rowsAtOnce) return;
			after = last.key;
		}
	}

	/** @throws StoreError */
	putTurns(id: string, work: Work, turns: readonly Turn[]): Promise<void> {
		return this.#database.together([
			this.putting(id, work),
			this.#turns.putting(id, turns),
		]);
	}

	turns(id: string): readonly Turn[] {
		return this.#turns.get(id) ?? [];
	}

	/** For the transaction that finishes the task; `clear` follows. */
	removing(id: string): Write {
		return this.#work.removing(id);
	}

	/** Removes all of it, in batches. @throws StoreError */
	async clear(id: string): Promise<void> {
		const range = { from: `${id}/`, before: behind(id) };
		const some = () => this.#utterances.keys(range, removedAtOnce);
		for (let keys = some(); keys.length > 0; keys = some())
			await this.#database.together(
				keys.map((key) => this.#utterances.removing(key)),
			);
		await this.#database.together([
			this.#turns.removing(id),
			this.#words.removing(id),
			this.#work.removing(id),
		]);
	}

	/** Tasks with stored work; may repeat. Used to find work of tasks that no longer exist. */
	async *ids(): AsyncGenerator<string> {
		yield* walkKeys(this.#work);
		yield* walkKeys(this.#turns);
		yield* walkKeys(this.#words);
		yield* walkPrefixes(this.#utterances);
	}
}

/** @param index of the first utterance of the row, from 1. */
function keyOf(id: string, channel: number, index: number): string {
	return `${id}/${channel}/${String(index).padStart(indexDigits, "0")}`;
}

/** Upper bound of the keys `prefix/...`: the character after the slash. */
function behind(prefix: string): string {
	return `${prefix}0`;
}
