/** The one way out to places that clients name, as the configuration opens it. */
import { ConfigError } from "../config/config-error.js";
import type { Config } from "../config/schema.js";
import { Outbound } from "../outbound/outbound.js";

/** @throws ConfigError that names an entry which is none. */
export function openOutbound(
	config: Config,
	ownPort: () => number | undefined,
): Outbound {
	const outbound = new Outbound({ allow: [], ownPort });
	applyAllowList(outbound, config);
	return outbound;
}

/** @throws ConfigError that names an entry which is none. */
export function applyAllowList(outbound: Outbound, config: Config): void {
	try {
		outbound.allow(config.outbound.allow);
	} catch (error) {
		throw new ConfigError((error as Error).message);
	}
}
