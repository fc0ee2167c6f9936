/**
 * What is to be said to the fleet, on the disk until the broker has it. In memory is who waits in which order; what they say is read when it is sent.
 *
 * INVARIANTS
 * - What was added is there after a crash; it goes when the broker has acknowledged it, or into the dead letters.
 * - The first of a stream stays the first until it is gone: a stream is never told out of order.
 * - Bounds are kept by dropping the oldest that is not on its way (policy "drop-oldest"), and counted. What is told of tasks is small and is not dropped.
 */

import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { EngineLog } from "../../engine/log-port.js";
import { backOff } from "../../limits/back-off.js";
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
	/** Of a task. */
	readonly taskTopic: (id: string) => string;
	readonly nowSeconds: () => number;
	readonly log: EngineLog;
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
	/** There may be something to send. */
	onReady: () => void = () => {};

	constructor(parts: FleetOutboxParts) {
		this.#parts = parts;
	}

	/** Finds what was left from before. @throws StoreError */
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
		for (const { key } of this.#waiting.values())
			if (key.startsWith("e/"))
				this.#lastOrder = Math.max(this.#lastOrder, Number(key.slice(2)));
		this.#deadLetters = rows.dead().length;
	}

	/** Resolves when it is on the disk. @throws StoreError */
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
		this.#keepBounds(); // what is not on the disk yet was not dropped before
		this.onReady();
	}

	/** What was added is on the disk, or its adder knows why not. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.#writing);
	}

	/** For the transaction that finishes a task; `taskAnnounced` follows. */
	announcingTask(id: string): Write {
		return this.#parts.rows.putting(taskKey(id), this.#taskRow(id));
	}

	taskAnnounced(id: string): void {
		if (!this.#waiting.has(taskKey(id)))
			this.#waiting.add(taskKey(id), this.#taskRow(id), true);
		this.onReady();
	}

	/** The first of each stream that may be sent now. */
	ready(nowMs: number): Iterable<PendingSend> {
		return this.#waiting.ready(nowMs);
	}

	/** When the next one may be sent that may not be sent now. */
	nextMs(nowMs: number): number | undefined {
		return this.#waiting.nextMs(nowMs);
	}

	read({ key }: PendingSend): FleetMessageRow | undefined {
		return this.#parts.rows.get(key);
	}

	/** The broker has it, or nobody needs it any more. */
	async done(waiting: PendingSend, delivered = true): Promise<void> {
		try {
			await this.#parts.rows.remove(waiting.key);
		} catch (error) {
			// it may be told twice, after the next start
			this.#parts.log.error(
				{ err: error },
				"failed to remove a sent message from the outbox",
			);
		}
		if (delivered) this.#delivered++;
		this.#waiting.remove(waiting);
	}

	/** It is tried again later; too often, and it is a dead letter. @throws StoreError */
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

	/** Set aside, so that those behind it can go on. @throws StoreError */
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
