/** Meaning of a broker's reason codes (MQTT 5 section 2.4, table 2-6): those that a person can act on. */
const texts: Readonly<Record<number, string>> = {
	0: "normal disconnection",
	128: "unspecified error",
	129: "malformed packet",
	130: "protocol error",
	131: "implementation specific error",
	132: "this version of MQTT is not supported, it must be 5",
	133: "the client identifier is not valid",
	134: "bad user name or password (fleet.user, fleet.password)",
	135: "not authorised",
	136: "the server is unavailable",
	137: "the server is busy",
	138: "banned",
	139: "the server is shutting down",
	141: "keep-alive timeout",
	142: "another device with the same fleet.device has connected",
	143: "the topic filter is invalid",
	144: "the topic name is invalid",
	147: "receive maximum exceeded",
	149: "packet too large",
	150: "message rate too high",
	151: "quota exceeded",
	152: "administrative action",
	153: "payload format invalid",
	154: "retained messages are not supported",
	155: "quality of service is not supported",
	158: "shared subscriptions are not supported",
	159: "connection rate exceeded",
	160: "maximum connect time",
};

export const takenOver = 0x8e;

/** Why the broker ended or refused a connection. Mosquitto answers a wrong password with 0x87, not with the code for passwords. */
export function refusalText(code: number): string {
	const text = reasonText(code);
	return text === texts[0x87]
		? `${text} (fleet.user and fleet.password, or the broker's access rules)`
		: text;
}

export function reasonText(code: number): string {
	// codes of MQTT 3, with which some brokers answer a version 5 client
	if (code > 0 && code < 0x80)
		return (
			["", texts[0x84], texts[0x85], texts[0x88], texts[0x86], texts[0x87]][
				code
			] ?? `reason 0x${code.toString(16)}`
		);
	return texts[code] ?? `reason 0x${code.toString(16)}`;
}
