/** One connection to a listener (tcp-listener.ts), as the protocol spoken over it sees it. */

export interface Peer {
	/** As the socket gives it. */
	readonly address: string;
	/** Does nothing on a closed connection. */
	send(bytes: Uint8Array): void;
	/** Bytes sent that the peer has not read yet. */
	readonly unreadBytes: number;
	/** Makes the peer wait: no more bytes come until `release`. */
	hold(): void;
	release(): void;
	/** Closes after what was sent. `onClosed` follows. */
	close(): void;
}

export interface PeerHandler {
	/** @param bytes cut anywhere; they stay as they are. */
	onBytes(bytes: Uint8Array): void;
	/** The peer sends nothing more, but may still read. */
	onEnd(): void;
	/** The connection is closed, for whatever reason; comes once. */
	onClosed(): void;
	/** The appliance stops: nothing new is begun. The connection is to be closed as soon as what was asked for is answered. */
	leave(): void;
}
