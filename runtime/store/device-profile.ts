/** What its owner has said of the device, on its page: one row. */
import type { Database, Table } from "./database.js";

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

	constructor(database: Database) {
		this.#rows = database.table("device");
	}

	read(): DeviceProfile {
		return this.#rows.get(key) ?? unknown;
	}

	/** @throws StoreError */
	async change(change: Partial<DeviceProfile>): Promise<DeviceProfile> {
		const changed = { ...this.read(), ...change };
		await this.#rows.put(key, changed);
		return changed;
	}
}
