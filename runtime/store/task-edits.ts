/**
 * What people changed in transcripts, beside what was heard: texts of segments with their earlier versions, names of speakers, and the shape of the audio as it
 * is drawn. All of it goes with the task.
 *
 * INVARIANTS
 * - Whatever is read to be changed is read and written within one `alone`, and so is the removal of the task: no change is lost, and none outlives its task.
 */
import type { Database, Table, Write } from "./database.js";
import { KeyedMutex } from "./keyed-mutex.js";
import type { Codec } from "./row-codec.js";
import { walkKeys, walkPrefixes } from "./walk.js";

export interface EditVersion {
	/** Null: what was heard. */
	readonly text: string | null;
	/** Unix time. */
	readonly atSeconds: number;
}

export interface SegmentEdit {
	/** Oldest first; the last one is in force. */
	readonly versions: readonly EditVersion[];
}

/** Peaks, 0 to 255 of full scale, `perSecond` of them. */
export interface PeaksRow {
	readonly perSecond: number;
	readonly peaks: Uint8Array;
}

/** Older ones are forgotten. */
const versionsMax = 20;
const segmentDigits = 7;
const removedAtOnce = 100;

/** As JSON a peak would take four bytes. The database's bytes are good until it is read again: they are copied. */
const peaksCodec: Codec = {
	encode(value) {
		const { perSecond, peaks } = value as PeaksRow;
		return Buffer.concat([Buffer.of(perSecond), peaks]);
	},
	decode: (bytes): PeaksRow => ({
		perSecond: bytes[0] ?? 0,
		peaks: Uint8Array.from(bytes.subarray(1)),
	}),
};

export class TaskEditRepository {
	readonly #database: Database;
	readonly #segments: Table<SegmentEdit>;
	readonly #speakers: Table<Readonly<Record<string, string>>>;
	readonly #peaks: Table<PeaksRow>;
	readonly #turns = new KeyedMutex();

	constructor(database: Database) {
		this.#database = database;
		this.#segments = database.table("results.edits");
		this.#speakers = database.table("results.speakers");
		this.#peaks = database.table("results.peaks", peaksCodec);
	}

	/** Runs `act` when all earlier calls for this task have ended. */
	alone<T>(id: string, act: () => Promise<T>): Promise<T> {
		return this.#turns.run(id, act);
	}

	segment(id: string, number: number): SegmentEdit | undefined {
		return this.#segments.get(keyOf(id, number));
	}

	/** Whether any segment was changed. */
	hasSegments(id: string): boolean {
		return this.#segments.keys(rangeOf(id), 1).length > 0;
	}

	/** Numbers of the segments that were changed, in order. */
	*changed(id: string): Generator<number> {
		for (let after = `${id}/`; ; ) {
			const range = { after, before: `${id}0` };
			const keys = this.#segments.keys(range, removedAtOnce);
			for (const key of keys) yield Number(key.slice(id.length + 1));
			const last = keys.at(-1);
			if (last === undefined) return;
			after = last;
		}
	}

	/** Names by number. */
	speakers(id: string): Readonly<Record<string, string>> {
		return this.#speakers.get(id) ?? {};
	}

	/** Within `alone`. All together, or nothing. @throws StoreError */
	async change(
		id: string,
		texts: ReadonlyMap<number, string | null>,
		speakers: Readonly<Record<string, string>> | undefined,
		atSeconds: number,
	): Promise<void> {
		const writes = [...texts].map(([number, text]) => {
			const before = this.segment(id, number)?.versions ?? [];
			const versions = [...before, { text, atSeconds }].slice(-versionsMax);
			return this.#segments.putting(keyOf(id, number), { versions });
		});
		if (speakers) writes.push(this.#speakers.putting(id, speakers));
		await this.#database.together(writes);
	}

	peaks(id: string): PeaksRow | undefined {
		return this.#peaks.get(id);
	}

	/** Within `alone`. @throws StoreError */
	putPeaks(id: string, row: PeaksRow): Promise<void> {
		return this.#peaks.put(id, row);
	}

	/** For the transaction that removes the task; `clear` follows. */
	removing(id: string): readonly Write[] {
		return [this.#speakers.removing(id), this.#peaks.removing(id)];
	}

	/** Removes all of it, in batches. @throws StoreError */
	async clear(id: string): Promise<void> {
		const some = () => this.#segments.keys(rangeOf(id), removedAtOnce);
		for (let keys = some(); keys.length > 0; keys = some())
			await this.#database.together(
				keys.map((key) => this.#segments.removing(key)),
			);
		await this.#database.together(this.removing(id));
	}

	/** Tasks with anything here; may repeat. Used to find what is left of tasks that no longer exist. */
	async *ids(): AsyncGenerator<string> {
		yield* walkPrefixes(this.#segments);
		yield* walkKeys(this.#speakers);
		yield* walkKeys(this.#peaks);
	}
}

function keyOf(id: string, number: number): string {
	return `${id}/${String(number).padStart(segmentDigits, "0")}`;
}

function rangeOf(id: string) {
	return { from: `${id}/`, before: `${id}0` };
}
