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
	#probing: Promise<string | undefined> | undefined;

	constructor(database: Database, msMax: number) {
		this.#rows = database.table("canary");
		this.#msMax = msMax;
	}

	/** @returns what is wrong; undefined: what was written is on the disk, and was read. */
	async check(): Promise<string | undefined> {
		this.#probing ??= this.#probe().finally(() => {
			this.#probing = undefined;
		});
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<string>((resolve) => {
			timer = setTimeout(
				() => resolve(`a write took longer than ${this.#msMax} ms`),
				this.#msMax,
			);
		});
		try {
			return await Promise.race([this.#probing, late]);
		} finally {
			clearTimeout(timer);
		}
	}

	async #probe(): Promise<string | undefined> {
		const song = randomUUID();
		try {
			await this.#rows.put(key, { song });
			return this.#rows.get(key)?.song === song
				? undefined
				: "data read differs from data written";
		} catch (error) {
			return (error as Error).message;
		}
	}
}
