/**
 * Writes of the outbox. Those that the disk does not take, usually because it is full, are repeated until they succeed, since a row that stays is sent once more
 * after the next start, and a message in memory does not survive it. None of them holds up what is to be sent.
 */
import { backOff } from "../../limits/back-off.js";
import type { LogPort } from "../../log/log-port.js";
import type {
	DeadLetterRow,
	FleetMessageRow,
	FleetOutboxRepository,
} from "../../store/fleet-outbox.js";
import type { DeadLetters } from "./dead-letters.js";
import type { PendingSend, PendingSends } from "./pending-sends.js";

const pauseMsMin = 1000;
const pauseMsMax = 60_000;
const rowsAtOnce = 200;
/** Dead letters in memory. */
const burialsMax = 1000;

export interface RepeatedWritesParts {
	readonly rows: FleetOutboxRepository;
	readonly pending: PendingSends;
	readonly dead: Pick<DeadLetters, "bury">;
	readonly log: LogPort;
}

interface Burial {
	readonly letter: DeadLetterRow;
	/** Its row is in the outbox until then: the next start tries it anew. */
	readonly hasRow: boolean;
}

export class RepeatedWrites {
	readonly #parts: RepeatedWritesParts;
	/** Keys of rows that should be gone. */
	readonly #removals = new Set<string>();
	/** Dead letters by key that the disk did not take. */
	readonly #burials = new Map<string, Burial>();
	#lost = 0;
	/** Of the message in memory that is being written. */
	#storing: string | undefined;
	#failures = 0;
	#isClosed = false;
	#timer: NodeJS.Timeout | undefined;

	constructor(parts: RepeatedWritesParts) {
		this.#parts = parts;
	}

	/** Dead letters that were too many to wait for the disk. */
	get lost(): number {
		return this.#lost;
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

	/** Resolves when the message is a dead letter on the disk, or has to become one later. */
	async bury({ key, kept }: PendingSend, letter: DeadLetterRow): Promise<void> {
		const { dead, log } = this.#parts;
		try {
			await dead.bury(key, letter);
		} catch (error) {
			if (this.#burials.size === 0)
				log.error({ err: error }, "failed to set a message aside, retrying");
			const hasRow = kept.is === "on-disk";
			this.#burials.set(key, { letter, hasRow });
			this.#keepBound();
			this.#tryLater();
		}
	}

	/** A new row replaces one that should be gone, or be a dead letter. */
	keep(key: string): void {
		this.#removals.delete(key);
		this.#burials.delete(key);
	}

	#keepBound(): void {
		const [oldest] = this.#burials;
		if (!oldest || this.#burials.size <= burialsMax) return;
		const [key, { hasRow }] = oldest;
		this.#burials.delete(key);
		if (!hasRow) this.#lost++;
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
		const unburied = [...this.#burials.values()].filter((it) => !it.hasRow);
		const lost = pending.inMemory.size + unburied.length;
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
			await this.#buryRows();
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
	async #buryRows(): Promise<void> {
		for (const [key, { letter }] of this.#burials) {
			await this.#parts.dead.bury(key, letter);
			this.#burials.delete(key);
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
