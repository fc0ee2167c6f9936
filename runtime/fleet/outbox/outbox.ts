/**
 * Messages for the fleet, stored on the disk until the broker has them. Only their order is in memory; their text is read when it is sent. While the disk takes
 * nothing, new messages are kept in memory and sent from there.
 *
 * INVARIANTS
 * - No two messages have one key, dead letters included.
 * - An added message survives a crash, unless the disk did not take it; it is removed when the broker has acknowledged it, or it becomes a dead letter.
 * - The first message of a stream stays the first until it is removed: a stream is never sent out of order.
 * - Bounds are kept by dropping the oldest message that is not in flight (policy "drop-oldest"). Messages about tasks are small and never dropped.
 * - Each message that is lost is counted.
 */

import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { backOff } from "../../limits/back-off.js";
import type { LogPort } from "../../log/log-port.js";
import type { Write } from "../../store/database.js";
import {
	eventKey,
	type FleetMessageRow,
	type FleetOutboxRepository,
	taskKey,
} from "../../store/fleet-outbox.js";
import { DeadLetters } from "./dead-letters.js";
import { type PendingSend, PendingSends } from "./pending-sends.js";
import { RepeatedWrites } from "./repeated-writes.js";

export interface FleetOutboxLimits {
	readonly messagesMax: number;
	readonly bytesMax: number;
	readonly triesMax: number;
}

export interface FleetOutboxParts {
	readonly rows: FleetOutboxRepository;
	readonly limits: FleetOutboxLimits;
	/** By the names that the device has now: those of when a message was stored may be wrong, and forbidden by the broker. */
	readonly topicOf: (body: FleetMessageRow["body"]) => string;
	readonly nowSeconds: () => number;
	readonly log: LogPort;
}

export interface FleetOutboxStats {
	readonly waiting: number;
	readonly bytes: number;
	readonly deadLetters: number;
	/** Since the start. */
	readonly delivered: number;
	readonly dropped: number;
}

const rowsAtOnce = 200;
/** Messages that the disk did not take. */
const inMemoryMax = 1000;
const retryMsMin = 1000;
const retryMsMax = 300_000;

export class FleetOutbox {
	readonly #parts: FleetOutboxParts;
	readonly #waiting = new PendingSends();
	readonly #dead: DeadLetters;
	readonly #writes: RepeatedWrites;
	readonly #writing = new Set<Promise<void>>();
	#lastOrder = 0;
	#delivered = 0;
	#dropped = 0;
	/** Called when there may be something to send. */
	onReady: () => void = () => {};

	constructor(parts: FleetOutboxParts) {
		this.#parts = parts;
		this.#dead = new DeadLetters(parts.rows);
		this.#writes = new RepeatedWrites({
			...parts,
			pending: this.#waiting,
			dead: this.#dead,
		});
	}

	/** Loads the pending messages. @throws StoreError */
	async open(): Promise<void> {
		const { rows } = this.#parts;
		for (let after = ""; ; ) {
			const some = rows.slice(after, rowsAtOnce);
			for (const { key, value } of some)
				this.#waiting.add(key, value, { is: "on-disk" });
			const last = some.at(-1)?.key;
			if (last === undefined) break;
			after = last;
			await yieldToEventLoop();
		}
		const waiting = [...this.#waiting.values()].map(({ key }) => key);
		// a dead letter may come back under its key, also beside this server
		for (const key of [...waiting, ...this.#dead.keys])
			if (key.startsWith("e/"))
				this.#lastOrder = Math.max(this.#lastOrder, Number(key.slice(2)));
	}

	/** Resolves when the message is on the disk, or in memory because the disk does not take it. */
	async add(stream: string, text: string): Promise<void> {
		const key = eventKey(++this.#lastOrder);
		const row = this.#rowOf(stream, { is: "text", text });
		const waiting = this.#waiting.add(key, row, { is: "being-written" });
		this.#keepBounds();
		const writing = this.#writes.store(waiting, row);
		this.#writing.add(writing);
		await writing;
		this.#writing.delete(writing);
		this.#keepBounds(); // messages that are being written can't be dropped
		this.onReady();
	}

	/** Resolves when all added messages are on the disk, or will never be. */
	async close(): Promise<void> {
		await Promise.allSettled(this.#writing);
		this.#dropped += await this.#writes.close();
	}

	/** A write for the transaction that finishes a task; `taskAnnounced` follows. */
	announcingTask(id: string): Write {
		this.#writes.keep(taskKey(id));
		return this.#parts.rows.putting(taskKey(id), this.#taskRow(id));
	}

	taskAnnounced(id: string): void {
		if (!this.#waiting.has(taskKey(id)))
			this.#waiting.add(taskKey(id), this.#taskRow(id), { is: "on-disk" });
		this.onReady();
	}

	/** The messages that may be sent now: at most the first of each stream. */
	ready(nowMs: number): Iterable<PendingSend> {
		return this.#waiting.ready(nowMs);
	}

	/** When the next message may be sent that may not be sent now. */
	nextMs(nowMs: number): number | undefined {
		return this.#waiting.nextMs(nowMs);
	}

	/** With the topic that it is sent to. */
	read({ key, kept, tries }: PendingSend): FleetMessageRow | undefined {
		const row = kept.is === "in-memory" ? kept.row : this.#parts.rows.get(key);
		return row && { ...row, topic: this.#parts.topicOf(row.body), tries };
	}

	/** Tried before, and a dead letter if it fails once more. */
	isLastTry({ tries }: FleetMessageRow): boolean {
		return tries > 0 && tries + 1 >= this.#parts.limits.triesMax;
	}

	/** The broker has the message, or it is obsolete. */
	async done(waiting: PendingSend, delivered = true): Promise<void> {
		await this.#writes.remove(waiting);
		if (delivered) this.#delivered++;
		this.#waiting.remove(waiting);
	}

	/** The message is retried later; after too many tries it becomes a dead letter. @throws StoreError: the try counts until the next start */
	async failed(waiting: PendingSend, why: string): Promise<void> {
		const { rows, limits } = this.#parts;
		const row = this.read(waiting);
		if (!row) {
			this.#waiting.remove(waiting);
			return;
		}
		const tries = ++waiting.tries;
		if (tries >= limits.triesMax) {
			await this.bury(waiting, `${why}, ${tries} times`);
			return;
		}
		const pauseMs = backOff(tries - 1, retryMsMin, retryMsMax);
		waiting.notBeforeMs = performance.now() + pauseMs;
		if (waiting.kept.is === "in-memory")
			this.#waiting.keepInMemory(waiting, { ...row, tries });
		else await rows.put(waiting.key, { ...row, tries });
	}

	/** Moves a message to the dead letters, so that those behind it can be sent, whether the disk takes that now or later. */
	async bury(waiting: PendingSend, why: string): Promise<void> {
		const { nowSeconds, log } = this.#parts;
		const row = this.read(waiting);
		if (row) {
			log.error(
				{ topic: row.topic, bytes: waiting.bytes, why },
				"message can't be delivered, moved to the dead letters",
			);
			const diedSeconds = nowSeconds();
			await this.#writes.bury(waiting, { ...row, why, diedSeconds });
		}
		this.#waiting.remove(waiting);
	}

	get stats(): FleetOutboxStats {
		return {
			waiting: this.#waiting.size,
			bytes: this.#waiting.bytes,
			deadLetters: this.#dead.count,
			delivered: this.#delivered,
			dropped: this.#dropped + this.#writes.lost,
		};
	}

	#taskRow(id: string): FleetMessageRow {
		return this.#rowOf(`task ${id}`, { is: "task", id });
	}

	#rowOf(stream: string, body: FleetMessageRow["body"]): FleetMessageRow {
		const { nowSeconds, topicOf } = this.#parts;
		const topic = topicOf(body);
		return { stream, topic, body, createdSeconds: nowSeconds(), tries: 0 };
	}

	#keepBounds(): void {
		const { limits } = this.#parts;
		for (const waiting of this.#waiting.overflow({ ...limits, inMemoryMax }))
			this.#drop(waiting);
	}

	#drop(waiting: PendingSend): void {
		this.#waiting.remove(waiting);
		if (this.#dropped++ === 0)
			this.#parts.log.error(
				{ waiting: this.#waiting.size },
				"the outbox is full: the oldest messages are dropped",
			);
		void this.#writes.remove(waiting);
	}
}
