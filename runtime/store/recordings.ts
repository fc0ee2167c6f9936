/** Recordings: audio of short recognitions that was stored on request (`audio_url`). The audio itself is on the shelf (audio-shelf.ts). */
import type { Owner } from "../owner.js";
import type { Database, Table } from "./database.js";
import { ownedTable } from "./owned-rows.js";
import { walk } from "./walk.js";

export interface RecordingRow {
	/** Part of its link; unguessable. */
	readonly id: string;
	readonly owner: Owner;
	/** Format for the client. */
	readonly format: "mp3" | "pcm" | "wav";
	/** Id on the shelf. */
	readonly audioId: string;
	/** Unix time in seconds. */
	readonly createdSeconds: number;
	/** Operating time (`Clock.operatingSeconds`), which is used for ages; rows of older versions have none. */
	readonly createdOperatingSeconds?: number;
	readonly holds: RecordedBytes;
}

/** Content of the file on the shelf. */
export type RecordedBytes =
	/** The client's bytes, in the format that it named; converted later to the requested one. */
	| {
			readonly is: "sent";
			readonly format: string;
			readonly sampleRateHz: number;
	  }
	/** Signed 16-bit little-endian mono. */
	| { readonly is: "pcm"; readonly sampleRateHz: number }
	| { readonly is: "mp3" };

export class RecordingRepository {
	readonly #rows: Table<RecordingRow>;

	constructor(database: Database) {
		this.#rows = ownedTable(database, "recordings");
	}

	/** @throws StoreError */
	put(row: RecordingRow): Promise<void> {
		return this.#rows.put(row.id, row);
	}

	/** @returns false if it was removed meanwhile; then nothing is written. @throws StoreError */
	update(row: RecordingRow): Promise<boolean> {
		return this.#rows.putOver(row.id, row);
	}

	find(id: string): RecordingRow | undefined {
		return this.#rows.get(id);
	}

	/** @throws StoreError */
	remove(id: string): Promise<void> {
		return this.#rows.remove(id);
	}

	async *list(): AsyncGenerator<RecordingRow> {
		for await (const { value } of walk(this.#rows)) yield value;
	}
}
