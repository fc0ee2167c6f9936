/**
 * What people changed in transcripts, beside what was heard: texts of segments with their earlier versions, names of speakers, and the shape of the audio as it
 * is drawn. All of it goes with the task.
 *
 * INVARIANTS
 * - Those of one task take at most `editBytesMax`: before a change is refused for that, the earlier versions of all its segments are forgotten.
 * - Whatever is read to be changed is read and written within one `alone`, and so is the removal of the task: no change is lost, and none outlives its task.
 */
import { CodedError } from "../errors.js";
import { Slice } from "../event-loop/slices.js";
import type { Database, Table, Write } from "./database.js";
import { noStorage } from "./disk-quota.js";
import { KeyedMutex } from "./keyed-mutex.js";
import type { PeaksRow } from "./row-codec.js";
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

/** Bytes on the disk: the text of a transcript of five hours, several times over. */
export const editBytesMax = 2 * 1024 * 1024;
/** Older ones are forgotten. */
const versionsMax = 20;
const segmentDigits = 7;
const removedAtOnce = 100;

/** Rejects with a CodedError where the disk has too little space for a write. */
export type EditRoom = (bytes: number) => Promise<void>;

/** A change before it is written. */
interface Draft {
	readonly writes: readonly Write[];
	/** Of the rows on the disk. */
	readonly growthBytes: number;
	readonly writtenBytes: number;
}

export class TaskEditRepository {
	readonly #database: Database;
	readonly #segments: Table<SegmentEdit>;
	readonly #speakers: Table<Readonly<Record<string, string>>>;
	readonly #peaks: Table<PeaksRow>;
	readonly #room: EditRoom;
	readonly #turns = new KeyedMutex();

	/** @param room is asked before rows grow; absent: there is always some. */
	constructor(database: Database, room: EditRoom = async () => {}) {
		this.#database = database;
		this.#room = room;
		this.#segments = database.table("results.edits");
		this.#speakers = database.table("results.speakers");
		this.#peaks = database.table("results.peaks");
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

	/** Within `alone`. All together, or nothing. @throws CodedError 100004, StoreError */
	async change(
		id: string,
		texts: ReadonlyMap<number, string | null>,
		speakers: Readonly<Record<string, string>> | undefined,
		atSeconds: number,
	): Promise<void> {
		const usedBytes = await this.#bytesOf(id);
		const changes = new Map(
			[...texts].map(([number, text]) => [number, { text, atSeconds }]),
		);
		const drafted = (keeps: "earlier" | "newest") =>
			this.#draft(id, changes, speakers, keeps);
		const isTooMuch = ({ growthBytes }: Draft) =>
			growthBytes > 0 && usedBytes + growthBytes > editBytesMax;
		let draft = await drafted("earlier");
		if (isTooMuch(draft)) draft = await drafted("newest");
		if (isTooMuch(draft))
			throw noStorage(
				"corrections",
				`those of one transcript may take at most ${editBytesMax} bytes; shorten some, or restore segments (transcript null)`,
			);
		if (draft.growthBytes > 0) await this.#room(draft.writtenBytes);
		await this.#database.together(draft.writes);
	}

	/** @param keeps the earlier versions, or only the newest of every segment, those that do not change included. */
	async #draft(
		id: string,
		changes: ReadonlyMap<number, EditVersion>,
		speakers: Readonly<Record<string, string>> | undefined,
		keeps: "earlier" | "newest",
	): Promise<Draft> {
		const numbers = new Set(changes.keys());
		if (keeps === "newest")
			for (const number of this.changed(id)) numbers.add(number);
		const writes: Write[] = [];
		let growthBytes = 0;
		let writtenBytes = 0;
		const put = <V>(table: Table<V>, key: string, value: V) => {
			const bytes = Buffer.byteLength(JSON.stringify(value));
			growthBytes += bytes - table.bytesOf(key);
			writtenBytes += bytes;
			writes.push(table.putting(key, value));
		};
		const slice = new Slice();
		for (const number of numbers) {
			const change = changes.get(number);
			const before = this.segment(id, number)?.versions ?? [];
			const after = change ? [...before, change] : before;
			const versions = after.slice(keeps === "earlier" ? -versionsMax : -1);
			put(this.#segments, keyOf(id, number), { versions });
			if (slice.isOver) await slice.next();
		}
		if (speakers) put(this.#speakers, id, speakers);
		return { writes, growthBytes, writtenBytes };
	}

	async #bytesOf(id: string): Promise<number> {
		let bytes = this.#speakers.bytesOf(id);
		for await (const key of walkKeys(this.#segments, rangeOf(id)))
			bytes += this.#segments.bytesOf(key);
		return bytes;
	}

	peaks(id: string): PeaksRow | undefined {
		return this.#peaks.get(id);
	}

	/** Within `alone`. Not where the disk has too little space: they can be made again. @throws StoreError */
	async putPeaks(id: string, row: PeaksRow): Promise<void> {
		try {
			await this.#room(row.peaks.length);
		} catch (thrown) {
			if (thrown instanceof CodedError) return;
			throw thrown;
		}
		await this.#peaks.put(id, row);
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
