/** Messages that can't be delivered, set aside so that those behind them can be sent; the newest are kept. The command line may remove some meanwhile. */
import type {
	DeadLetterRow,
	FleetOutboxRepository,
} from "../../store/fleet-outbox.js";

const deadLettersMax = 1000;

export class DeadLetters {
	readonly #rows: FleetOutboxRepository;

	constructor(rows: FleetOutboxRepository) {
		this.#rows = rows;
	}

	get keys(): readonly string[] {
		return this.#rows.dead().map(({ key }) => key);
	}

	get count(): number {
		return this.#rows.deadCount();
	}

	/** @throws StoreError */
	async bury(key: string, row: DeadLetterRow): Promise<void> {
		await this.#rows.bury(key, row);
		await this.#forgetOld();
	}

	async #forgetOld(): Promise<void> {
		if (this.count <= deadLettersMax) return;
		const dead = this.#rows.dead();
		for (const { key } of dead.slice(0, dead.length - deadLettersMax))
			await this.#rows.forget(key);
	}
}
