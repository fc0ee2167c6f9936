/**
 * Messages for the fleet, stored on the disk until the broker has them. Only their order is in memory; their text is read when it is sent.
 *
 * INVARIANTS
 * - No two messages have one key, dead letters included.
 * - An added message survives a crash; it is removed when the broker has acknowledged it, or it becomes a dead letter.
 * - The first message of a stream stays the first until it is removed: a stream is never sent out of order.
 * - Bounds are kept by dropping the oldest message that is not in flight (policy "drop-oldest"), which is counted. Messages about tasks are small and never
 *   dropped.
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
import { type PendingSend, PendingSends } from "./pending-sends.js";

export interface FleetOutboxLimits {
	readonly messagesMax: number;
	readonly bytesMax: number;
	readonly triesMax: number;
}

export interface FleetOutboxParts {
	readonly rows: FleetOutboxRepository;
	readonly limits: FleetOutboxLimits;
	/** Topic of a task. */
	readonly taskTopic: (id: string) => string;
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
const deadLettersMax = 1000;
const retryMsMin = 1000;
const retryMsMax = 300_000;

export class FleetOutbox {
	readonly #parts: FleetOutboxParts;
	readonly #waiting = new PendingSends();
	readonly #writing = new Set<Promise<void>>();
	#lastOrder = 0;
	#deadLetters = 0;
	#delivered = 0;
	#dropped = 0;
	/** Called when there may be something to send. */
	onReady: () => void = () => {};

	constructor(parts: FleetOutboxParts) {
		this.#parts = parts;
	}

	/** Loads the pending messages. @throws StoreError */
	async open(): Promise<void> {
		const { rows } = this.#parts;
		for (let after = ""; ; ) {
			const some = rows.slice(after, rowsAtOnce);
			for (const { key, value } of some) this.#waiting.add(key, value, true);
			const last = some.at(-1)?.key;
			if (last === undefined) break;
			after = last;
			await yieldToEventLoop();
		}
		const dead = rows.dead();
		// a dead letter may come back under its key, also beside this server
		for (const { key } of [...this.#waiting.values(), ...dead])
			if (key.startsWith("e/"))
				this.#lastOrder = Math.max(this.#lastOrder, Number(key.slice(2)));
		this.#deadLetters = dead.length;
	}

	/** Resolves when the message is on the disk. @throws StoreError */
	async add(stream: string, topic: string, text: string): Promise<void> {
		const key = eventKey(++this.#lastOrder);
		const row = this.#rowOf(stream, topic, { is: "text", text });
		const waiting = this.#waiting.add(key, row, false);
		this.#keepBounds();
		const writing = this.#parts.rows.put(key, row);
		this.#writing.add(writing);
		try {
			await writing;
		} catch (error) {
			this.#waiting.remove(waiting);
			throw error;
		} finally {
			this.#writing.delete(writing);
		}
		waiting.onDisk = true;
		this.#keepBounds(); // messages that are not on the disk yet can't be dropped
		this.onReady();
	}

	/** Resolves when all added messages are on the disk or have failed. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.#writing);
	}

	/** A write for the transaction that finishes a task; `taskAnnounced` follows. */
	announcingTask(id: string): Write {
		return this.#parts.rows.putting(taskKey(id), this.#taskRow(id));
	}

	taskAnnounced(id: string): void {
		if (!this.#waiting.has(taskKey(id)))
			this.#waiting.add(taskKey(id), this.#taskRow(id), true);
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

	read({ key }: PendingSend): FleetMessageRow | undefined {
		return this.#parts.rows.get(key);
	}

	/** The broker has the message, or it is obsolete. */
	async done(waiting: PendingSend, delivered = true): Promise<void> {
		try {
			await this.#parts.rows.remove(waiting.key);
		} catch (error) {
			// it may be sent twice, after the next start
			this.#parts.log.error(
				{ err: error },
				"failed to remove a sent message from the outbox",
			);
		}
		if (delivered) this.#delivered++;
		this.#waiting.remove(waiting);
	}

	/** The message is retried later; after too many tries it becomes a dead letter. @throws StoreError */
	async failed(waiting: PendingSend, why: string): Promise<void> {
		const { rows, limits } = this.#parts;
		const row = rows.get(waiting.key);
		if (!row) {
			this.#waiting.remove(waiting);
			return;
		}
		const tries = row.tries + 1;
		if (tries >= limits.triesMax) {
			await this.bury(waiting, `${why}, ${tries} times`);
			return;
		}
		const pauseMs = backOff(tries - 1, retryMsMin, retryMsMax);
		waiting.notBeforeMs = performance.now() + pauseMs;
		await rows.put(waiting.key, { ...row, tries });
	}

	/** Moves a message to the dead letters, so that those behind it can be sent. @throws StoreError */
	async bury(waiting: PendingSend, why: string): Promise<void> {
		const { rows, nowSeconds, log } = this.#parts;
		const row = rows.get(waiting.key);
		if (row) {
			log.error(
				{ topic: row.topic, bytes: waiting.bytes, why },
				"message can't be delivered, moved to the dead letters",
			);
			await rows.bury(waiting.key, { ...row, why, diedSeconds: nowSeconds() });
			this.#deadLetters++;
			await this.#forgetOldDead();
		}
		this.#waiting.remove(waiting);
	}

	get stats(): FleetOutboxStats {
		return {
			waiting: this.#waiting.size,
			bytes: this.#waiting.bytes,
			deadLetters: this.#deadLetters,
			delivered: this.#delivered,
			dropped: this.#dropped,
		};
	}

	#taskRow(id: string): FleetMessageRow {
		const topic = this.#parts.taskTopic(id);
		return this.#rowOf(`task ${id}`, topic, { is: "task", id });
	}

	#rowOf(
		stream: string,
		topic: string,
		body: FleetMessageRow["body"],
	): FleetMessageRow {
		const createdSeconds = this.#parts.nowSeconds();
		return { stream, topic, body, createdSeconds, tries: 0 };
	}

	#keepBounds(): void {
		const { messagesMax, bytesMax } = this.#parts.limits;
		const isFull = () =>
			this.#waiting.size > messagesMax || this.#waiting.bytes > bytesMax;
		if (!isFull()) return;
		for (const waiting of this.#waiting.values()) {
			if (!isFull()) return;
			if (waiting.isInFlight || !waiting.mayBeDropped || !waiting.onDisk)
				continue;
			this.#drop(waiting);
		}
	}

	#drop(waiting: PendingSend): void {
		const { rows, log } = this.#parts;
		this.#waiting.remove(waiting);
		if (this.#dropped++ === 0)
			log.error(
				{ waiting: this.#waiting.size },
				"the outbox is full: the oldest messages are dropped",
			);
		rows
			.remove(waiting.key)
			.catch((error: unknown) =>
				log.error(
					{ err: error },
					"failed to remove a dropped message from the outbox",
				),
			);
	}

	async #forgetOldDead(): Promise<void> {
		if (this.#deadLetters <= deadLettersMax) return;
		const { rows } = this.#parts;
		const dead = rows.dead();
		for (const { key } of dead.slice(0, dead.length - deadLettersMax))
			await rows.forget(key);
		this.#deadLetters = Math.min(dead.length, deadLettersMax);
	}
}
