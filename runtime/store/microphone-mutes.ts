/** Which microphones somebody muted or unmuted, kept over restarts: a row for each, by its id. */
import type { Database, Table } from "./database.js";

export interface KeptMute {
	readonly muted: boolean;
	/** `muted` of the configuration that was in force: one that is changed later counts instead. */
	readonly configured: boolean;
}

export class MicrophoneMutes {
	readonly #rows: Table<KeptMute>;

	constructor(database: Database) {
		this.#rows = database.table("microphones.mutes");
	}

	read(microphone: string): KeptMute | undefined {
		return this.#rows.get(microphone);
	}

	/** @throws StoreError */
	keep(microphone: string, mute: KeptMute): Promise<void> {
		return this.#rows.put(microphone, mute);
	}

	/** @throws StoreError */
	forget(microphone: string): Promise<void> {
		return this.#rows.remove(microphone);
	}
}
