/** Messages as the rest of the fleet sends and receives them, whatever package carries them. */

export interface OutgoingMessage {
	readonly topic: string;
	readonly payload: string;
	readonly qos: 0 | 1;
	readonly retain?: boolean;
	/** At most 65535 bytes. */
	readonly correlation?: Uint8Array;
	/** The broker discards it after this time. */
	readonly expirySeconds?: number;
}

export interface IncomingMessage {
	readonly topic: string;
	readonly payload: Uint8Array;
	/** It was published before we subscribed. */
	readonly retained: boolean;
	/** The broker may have delivered it before (DUP, MQTT 5 section 3.3.1.1). */
	readonly isRedelivered: boolean;
	readonly responseTopic?: string;
	readonly correlation?: Uint8Array;
}

export type Published =
	/** `reached`: the topic has a subscriber, as far as the broker reports it. */
	| { readonly is: "accepted"; readonly reached: boolean }
	/** Never sent: it exceeds the broker's packet size. */
	| { readonly is: "too-large"; readonly bytesMax: number }
	/** Never sent: the topic is invalid. */
	| { readonly is: "no-topic"; readonly fault: string }
	| { readonly is: "refused"; readonly reason: string };
