/** What its owner has said of the device, on its page: one row. */
import type { Database, Table } from "./database.js";
import { KeyedMutex } from "./keyed-mutex.js";

export interface DeviceProfile {
	/** Empty: it goes by its host name. */
	readonly name: string;
	/** Somebody has gone through the first steps. */
	readonly isSetUp: boolean;
}

const key = "profile";
const unknown: DeviceProfile = { name: "", isSetUp: false };

export class DeviceProfileRepository {
	readonly #rows: Table<DeviceProfile>;
	readonly #turns = new KeyedMutex();

	constructor(database: Database) {
		this.#rows = database.table("device");
	}

	read(): DeviceProfile {
		return this.#rows.get(key) ?? unknown;
	}

	/** @throws StoreError */
	change(change: Partial<DeviceProfile>): Promise<DeviceProfile> {
		return this.#turns.run(key, async () => {
			const changed = { ...this.read(), ...change };
			await this.#rows.put(key, changed);
			return changed;
		});
	}
}
