/**
 * Writes of the outbox. Those that the disk does not take, usually because it is full, are repeated until they succeed, since a row that stays is sent once more
 * after the next start, and a message in memory does not survive it.
 */
import { backOff } from "../../limits/back-off.js";
import type { LogPort } from "../../log/log-port.js";
import type {
	FleetMessageRow,
	FleetOutboxRepository,
} from "../../store/fleet-outbox.js";
import type { PendingSend, PendingSends } from "./pending-sends.js";

const pauseMsMin = 1000;
const pauseMsMax = 60_000;
const rowsAtOnce = 200;

export interface RepeatedWritesParts {
	readonly rows: FleetOutboxRepository;
	readonly pending: PendingSends;
	readonly log: LogPort;
}

export class RepeatedWrites {
	readonly #parts: RepeatedWritesParts;
	/** Keys of rows that should be gone. */
	readonly #removals = new Set<string>();
	/** Of the message in memory that is being written. */
	#storing: string | undefined;
	#failures = 0;
	#isClosed = false;
	#timer: NodeJS.Timeout | undefined;

	constructor(parts: RepeatedWritesParts) {
		this.#parts = parts;
	}

	/** Resolves when the message is on the disk, or in memory instead. */
	async store(waiting: PendingSend, row: FleetMessageRow): Promise<void> {
		const { rows, pending, log } = this.#parts;
		try {
			await rows.put(waiting.key, row);
			pending.keepOnDisk(waiting);
		} catch (error) {
			if (pending.inMemory.size === 0)
				log.error(
					{ err: error },
					"the disk does not take messages for the fleet, keeping them in memory",
				);
			pending.keepInMemory(waiting, row);
			this.#tryLater();
		}
	}

	/** Resolves when the row is gone, or has to be removed later. */
	async remove({ key, kept }: PendingSend): Promise<void> {
		const { rows, log } = this.#parts;
		if (kept.is === "in-memory" && key !== this.#storing) return; // there is no row
		try {
			await rows.remove(key);
		} catch (error) {
			if (this.#removals.size === 0)
				log.error(
					{ err: error },
					"failed to remove a message from the outbox, retrying",
				);
			this.#removals.add(key);
			this.#tryLater();
		}
	}

	/** A new row replaces one that should be gone. */
	keep(key: string): void {
		this.#removals.delete(key);
	}

	#tryLater(): void {
		if (this.#timer || this.#isClosed) return;
		const pauseMs = backOff(this.#failures, pauseMsMin, pauseMsMax);
		this.#timer = setTimeout(() => void this.#tryAgain(), pauseMs);
		this.#timer.unref();
	}

	/** Tries for the last time. @returns the number of messages that are lost. */
	async close(): Promise<number> {
		this.#isClosed = true;
		await this.#tryAgain();
		const { pending, log } = this.#parts;
		const lost = pending.inMemory.size;
		if (lost > 0)
			log.error(
				{ lost },
				"messages for the fleet are lost: the disk did not take them",
			);
		return lost;
	}

	async #tryAgain(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		try {
			await this.#removeRows();
			await this.#storeMessages();
			this.#failures = 0;
			// those that were in flight
			if (this.#parts.pending.inMemory.size > 0) this.#tryLater();
		} catch {
			// reported when it failed first
			this.#failures++;
			this.#tryLater();
		}
	}

	/** @throws StoreError */
	async #removeRows(): Promise<void> {
		while (this.#removals.size > 0) {
			const some = [...this.#removals].slice(0, rowsAtOnce);
			await Promise.all(some.map((key) => this.#parts.rows.remove(key)));
			for (const key of some) this.#removals.delete(key);
		}
	}

	/** @throws StoreError */
	async #storeMessages(): Promise<void> {
		for (const waiting of this.#parts.pending.inMemory) {
			const { key, kept } = waiting;
			if (kept.is !== "in-memory" || waiting.isInFlight) continue;
			this.#storing = key;
			await this.#parts.rows.put(key, kept.row);
			// what was sent meanwhile was removed after this write
			if (this.#parts.pending.has(key)) this.#parts.pending.keepOnDisk(waiting);
		}
		this.#storing = undefined;
	}
}
