/** Subscriptions that the broker's access rules may deny: the device reports its results without them. */
import type { LogPort } from "../../log/log-port.js";
import { ConnectionLost } from "./connection-lost.js";

/** @param without what the device does without it, and what to do about it; logged. @throws ConnectionLost */
export async function isAllowed(
	subscribing: Promise<void>,
	without: string,
	log: LogPort["warn"],
): Promise<boolean> {
	try {
		await subscribing;
		return true;
	} catch (error) {
		if (error instanceof ConnectionLost) throw error;
		log({ err: error }, `the broker denies a subscription: ${without}`);
		return false;
	}
}
