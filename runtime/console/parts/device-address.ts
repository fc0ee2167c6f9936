/** Where other browsers reach this page: encrypted, if the device offers that. */
import { session } from "../app/session.js";

/** @returns the address of this page; over plain HTTP that of the device's own HTTPS, "" where it has none. */
export function encryptedAddress(): string {
	const { protocol, hostname, pathname, origin } = location;
	if (protocol === "https:") return origin + pathname;
	const port = session.value?.device.https_port ?? 0;
	return port === 0 ? "" : `https://${hostname}:${port}${pathname}`;
}

export function pageAddress(): string {
	return encryptedAddress() || location.origin + location.pathname;
}
