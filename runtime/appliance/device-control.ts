/** What an operator does to a device that runs, from the console and over MQTT: the same for both. */
import type { DeviceControl } from "../api/device/control.js";
import { ConfigError } from "../config/config-error.js";
import type { ConfiguredLane } from "../engine/from-config.js";
import { CodedError } from "../errors.js";
import type { Logger } from "../log/log.js";
import type { ConfigReload } from "./config-reload.js";

export interface DeviceControlParts {
	readonly live: Pick<ConfiguredLane, "supervisor">;
	readonly batch: Pick<ConfiguredLane, "supervisor">;
	readonly configReload: () => Pick<ConfigReload, "reload">;
	readonly log: Logger;
}

export function deviceControl(parts: DeviceControlParts): DeviceControl {
	const { live, batch, configReload, log } = parts;
	return {
		restartEngine: (lane) =>
			(lane === "live" ? live : batch).supervisor.restart(),
		reload: () => {
			try {
				return configReload().reload();
			} catch (error) {
				if (!(error instanceof ConfigError)) throw error;
				log.error({ reason: error.message }, "configuration not reloaded");
				throw new CodedError("200002", error.message);
			}
		},
	};
}
