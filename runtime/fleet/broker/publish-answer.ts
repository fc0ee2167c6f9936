/** What the broker's answer to a publish says (PUBACK, MQTT 5 section 3.4). */
import { ConnectionLost } from "./connection-lost.js";
import type { Published } from "./messages.js";
import { reasonText } from "./reasons.js";

/** "No matching subscribers" (MQTT 5 section 3.4.2.1). */
const noSubscribers = 0x10;

/** @param error of the mqtt package: with the broker's reason, or without an answer. @param packet the broker's answer */
export function outcomeOf(
	error: Error | null | undefined,
	packet: unknown,
): Published | ConnectionLost {
	if (!error) {
		const { reasonCode } = (packet ?? {}) as { reasonCode?: number };
		return { is: "accepted", reached: reasonCode !== noSubscribers };
	}
	const code = codeOf(error);
	return code === undefined
		? new ConnectionLost(error.message)
		: { is: "refused", reason: reasonText(code) };
}

function codeOf(error: Error): number | undefined {
	const { code } = error as { code?: unknown };
	return typeof code === "number" ? code : undefined;
}
