import type { FleetSettings } from "../settings.js";

/**
 * Two clients of one id throw each other off the broker. Names may contain "-" and never ":", so `berlin-mitte` `kiosk` is not `berlin` `mitte-kiosk`; "/" would
 * be clearer, but mosquitto denies everything to a client with it in its id where a plugin checks access.
 */
export function clientIdOf({
	site,
	device,
}: Pick<FleetSettings, "site" | "device">): string {
	const between = site.includes("-") ? ":" : "-";
	return `earshot-${site}${between}${device}`;
}
