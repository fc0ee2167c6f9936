/** Messages that can't be delivered, set aside so that those behind them can be sent; the newest are kept. */
import type {
	DeadLetterRow,
	FleetOutboxRepository,
} from "../../store/fleet-outbox.js";

const deadLettersMax = 1000;

export class DeadLetters {
	readonly #rows: FleetOutboxRepository;
	#count = 0;

	constructor(rows: FleetOutboxRepository) {
		this.#rows = rows;
	}

	/** @returns the keys of those that are there already. */
	open(): readonly string[] {
		const keys = this.#rows.dead().map(({ key }) => key);
		this.#count = keys.length;
		return keys;
	}

	get count(): number {
		return this.#count;
	}

	/** @throws StoreError */
	async bury(key: string, row: DeadLetterRow): Promise<void> {
		await this.#rows.bury(key, row);
		this.#count++;
		await this.#forgetOld();
	}

	async #forgetOld(): Promise<void> {
		if (this.#count <= deadLettersMax) return;
		const dead = this.#rows.dead();
		for (const { key } of dead.slice(0, dead.length - deadLettersMax))
			await this.#rows.forget(key);
		this.#count = Math.min(dead.length, deadLettersMax);
	}
}
