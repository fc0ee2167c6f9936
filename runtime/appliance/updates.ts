/** Updates as the API shows them. Installing one is left to `earshot update`: the service may not write to the program's folder. */
import type { DeviceStatus } from "../api/device/status.js";
import type {
	UpdateAvailability,
	UpdateLookout,
} from "../api/device/update.js";
import { isExecutable, ownAsset, programFile } from "../config/own-program.js";
import type { Config } from "../config/schema.js";
import { builtInKey } from "../update/minisign.js";
import { placesOf } from "../update/places.js";
import { trustedKeys } from "../update/trusted-keys.js";
import { availability, updateState } from "../update/update-state.js";

/** Reading the files beside the program takes the disk a moment. */
const freshMs = 5000;

export class Updates implements UpdateLookout {
	readonly #config: () => Pick<Config, "update">;
	readonly #version: string;
	#state: DeviceStatus["update"] | undefined;
	#stateMs = Number.NEGATIVE_INFINITY;
	/** Everybody who asks meanwhile gets the same answer. */
	#checking: Promise<UpdateAvailability> | undefined;

	/** @param config in force. @param version that runs. */
	constructor(config: () => Pick<Config, "update">, version: string) {
		this.#config = config;
		this.#version = version;
	}

	async state(): Promise<DeviceStatus["update"]> {
		if (this.#state && performance.now() - this.#stateMs < freshMs)
			return this.#state;
		this.#stateMs = performance.now();
		this.#state = await this.#read();
		return this.#state;
	}

	check(): Promise<UpdateAvailability> {
		this.#checking ??= this.#readAvailability().finally(() => {
			this.#checking = undefined;
		});
		return this.#checking;
	}

	async #read(): Promise<DeviceStatus["update"]> {
		const none = { has_previous: false, trial: null, refused: null };
		const is_executable = isExecutable;
		if (!isExecutable) return { is_executable, ...none };
		// a folder that can't be read says nothing of updates
		const state = await updateState(placesOf(programFile), this.#version).catch(
			() => undefined,
		);
		if (!state) return { is_executable, ...none };
		const { hasPrevious, trial, refused } = state;
		return {
			is_executable,
			has_previous: hasPrevious,
			trial: trial ?? null,
			refused: refused
				? { version: refused.version, why: refused.why, at: refused.atSeconds }
				: null,
		};
	}

	async #readAvailability(): Promise<UpdateAvailability> {
		const { from, keys } = this.#config().update;
		const found = await availability({
			isExecutable,
			location: from,
			keys: () => trustedKeys(keys, ownAsset(builtInKey)),
			here: { version: this.#version, architecture: process.arch },
		});
		const newer = found.is === "newer" ? found : undefined;
		return {
			is: found.is,
			version: newer?.version ?? "",
			bytes: newer?.bytes ?? 0,
			notes: newer?.notes ?? "",
			reason:
				found.is === "failed" ? found.reason : (newer?.notesTrouble ?? ""),
		};
	}
}
