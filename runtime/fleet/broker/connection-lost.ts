/** A connection to the broker has ended, or could not be established; the message is a sentence for people. */
import { refusalText } from "./reasons.js";

const sentences: Readonly<Record<string, string>> = {
	ECONNREFUSED: "connection refused",
	ECONNRESET: "the broker closed the connection",
	EPIPE: "the broker closed the connection",
	ENOTFOUND: "its host name is unknown",
	EAI_AGAIN: "its host name can't be looked up now",
	ENETUNREACH: "its network can't be reached",
	EHOSTUNREACH: "its host can't be reached",
	ETIMEDOUT: "connecting took too long",
	CERT_HAS_EXPIRED: "its certificate has expired",
	DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted (fleet.ca_file)",
	SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted (fleet.ca_file)",
	UNABLE_TO_VERIFY_LEAF_SIGNATURE:
		"its certificate is not trusted (fleet.ca_file)",
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
		"its certificate is not trusted (fleet.ca_file)",
	ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

export class ConnectionLost extends Error {
	override readonly name = "ConnectionLost";
	/** MQTT 5 section 2.4, if the broker sent one. */
	readonly reasonCode: number | undefined;

	constructor(message: string, reasonCode?: number) {
		super(message);
		this.reasonCode = reasonCode;
	}

	static of(error: Error): ConnectionLost {
		const { code } = error as { code?: unknown };
		if (typeof code === "number")
			return new ConnectionLost(
				`the broker answered: ${refusalText(code)}`,
				code,
			);
		if (
			/alert (certificate|unknown ca|handshake|bad certificate)/.test(
				error.message,
			)
		)
			return new ConnectionLost(
				"the broker does not accept this device's certificate (fleet.cert_file)",
			);
		const known = sentences[String(code)];
		return new ConnectionLost(known ?? error.message.slice(0, 200));
	}
}
