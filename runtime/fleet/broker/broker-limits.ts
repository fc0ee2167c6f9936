/** What a broker accepts, as it says when it accepts a connection (CONNACK, MQTT 5 section 3.2.2.3). */
import type { OutgoingMessage } from "./messages.js";

export interface BrokerLimits {
	readonly packetBytesMax: number;
	/** Maximum number of unacknowledged publishes. */
	readonly receiveMax: number;
	readonly canRetain: boolean;
}

/** Properties of a CONNACK; what is absent is not limited. */
interface ConnackProperties {
	readonly maximumPacketSize?: number;
	readonly receiveMaximum?: number;
	readonly retainAvailable?: boolean;
}

/** Where the broker names no maximum. */
const receiveMaxDefault = 65_535;
/** Size of a publish without topic, payload and correlation. */
const headerBytes = 64;

export function limitsOf(connack: ConnackProperties = {}): BrokerLimits {
	return {
		packetBytesMax: connack.maximumPacketSize ?? Number.POSITIVE_INFINITY,
		receiveMax: connack.receiveMaximum ?? receiveMaxDefault,
		canRetain: connack.retainAvailable !== false,
	};
}

/** At most, on the wire. */
export function packetBytesOf({
	topic,
	payload,
	correlation,
}: OutgoingMessage): number {
	return (
		Buffer.byteLength(topic) +
		Buffer.byteLength(payload) +
		(correlation?.length ?? 0) +
		headerBytes
	);
}
