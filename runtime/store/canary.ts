/**
 * Writes a row and reads it back to check that the database works, all the way to the disk. Its deadline is shorter than the one after which the database
 * counts as stuck.
 */
import { randomUUID } from "node:crypto";
import type { Database, Table } from "./database.js";
import { StoreError } from "./store-error.js";

interface CanaryRow {
	readonly song: string;
}

const key = "canary";

export class Canary {
	readonly #rows: Table<CanaryRow>;
	readonly #msMax: number;
	/** A probe in progress; a second one would wait behind it. */
	#probing: Promise<string | undefined> | undefined;

	constructor(database: Database, msMax: number) {
		this.#rows = database.table("canary");
		this.#msMax = msMax;
	}

	/** @returns the fault; undefined if the written row is on the disk and was read back, or if the disk is full, which no restart mends. */
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
			const isFull = error instanceof StoreError && error.trouble === "full";
			return isFull ? undefined : (error as Error).message;
		}
	}
}
