/** The name by which people know the device: the one that its owner gave it, or its host name. Addresses and certificates have the host name only. */
import type { DeviceNaming } from "../api/device/profile.js";
import type {
	DeviceProfile,
	DeviceProfileRepository,
} from "../store/device-profile.js";
import { ownHostName } from "../tls/device-names.js";

export class Naming implements DeviceNaming {
	readonly #rows: DeviceProfileRepository;

	constructor(rows: DeviceProfileRepository) {
		this.#rows = rows;
	}

	get now(): DeviceProfile {
		return shown(this.#rows.read());
	}

	async change(change: Partial<DeviceProfile>): Promise<DeviceProfile> {
		return shown(await this.#rows.change(change));
	}
}

function shown({ name, isSetUp }: DeviceProfile): DeviceProfile {
	return { name: name || ownHostName(), isSetUp };
}
