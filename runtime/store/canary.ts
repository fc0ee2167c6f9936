/**
 * A row that is written and read again to see whether the database lives: the whole way to the disk and back. It has a deadline of its own, shorter than the
 * one that declares the database stuck.
 */
import { randomUUID } from "node:crypto";
import type { Database, Table } from "./database.js";

interface CanaryRow {
	readonly song: string;
}

const key = "canary";

export class Canary {
	readonly #rows: Table<CanaryRow>;
	readonly #msMax: number;
	/** A song that has not been answered; another one would wait behind it. */
	#singing: Promise<string | undefined> | undefined;

	constructor(database: Database, msMax: number) {
		this.#rows = database.table("canary");
		this.#msMax = msMax;
	}

	/** @returns what is wrong; undefined: what was written is on the disk, and was read. */
	async check(): Promise<string | undefined> {
		this.#singing ??= this.#sing().finally(() => {
			this.#singing = undefined;
		});
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<string>((resolve) => {
			timer = setTimeout(
				() => resolve(`a write takes longer than ${this.#msMax} ms`),
				this.#msMax,
			);
		});
		try {
			return await Promise.race([this.#singing, late]);
		} finally {
			clearTimeout(timer);
		}
	}

	async #sing(): Promise<string | undefined> {
		const song = randomUUID();
		try {
			await this.#rows.put(key, { song });
			return this.#rows.get(key)?.song === song
				? undefined
				: "what was written is not what is read";
		} catch (error) {
			return (error as Error).message;
		}
	}
}
