/** The one service for outbound requests to addresses that clients name, with the allow list of the configuration. */
import { ConfigError } from "../config/config-error.js";
import type { Config } from "../config/schema.js";
import { Outbound } from "../outbound/outbound.js";

/** @throws ConfigError that names an invalid entry. */
export function openOutbound(
	config: Config,
	ownPort: () => number | undefined,
): Outbound {
	const outbound = new Outbound({ allow: [], ownPort });
	applyAllowList(outbound, config);
	return outbound;
}

/** @throws ConfigError that names an invalid entry. */
export function applyAllowList(outbound: Outbound, config: Config): void {
	try {
		outbound.allow(config.outbound.allow);
	} catch (error) {
		throw new ConfigError((error as Error).message);
	}
}
