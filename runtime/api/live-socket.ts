/**
 * One WebSocket as the rest of the API sees it: nothing here knows which server carries it. The server calls the door at each upgrade, then the
 * listener that the door gave it, until `onClosed`, which comes exactly once.
 */

import type { Owner } from "../owner.js";

/** What an upgrade asks for. Only valid while it is judged. */
export interface UpgradeRequest {
	/** As sent, without the query. */
	readonly path: string;
	readonly remoteAddress: string;
	/** @param name in lower case. Several headers of one name are joined by ", ". */
	header(name: string): string | undefined;
}

export interface LiveSocket {
	/** Nothing happens on a socket that is closed. */
	send(text: string): void;
	/** A session has begun on it: what it may cost is bounded by that from now on. */
	started(): void;
	/** Bytes sent that the other side has not taken yet. */
	readonly unreadBytes: number;
	/** The other side has to wait: nothing more is read but what is here already. */
	hold(): void;
	/** Reading goes on. */
	release(): void;
	/** After what was sent. `onClosed` follows. */
	close(code: number, reason: string): void;
}

export interface SocketListener {
	onText(text: string): void;
	/** @param bytes of one frame; only valid during the call. */
	onBinary(bytes: Uint8Array): void;
	/** In whatever way it ended. */
	onClosed(): void;
}

/** An upgrade that was granted. */
export interface Admitted {
	/** To be echoed. */
	readonly subprotocol: string | undefined;
	/** Whose share of what sockets have it takes. */
	readonly sharer: Owner;
	open(socket: LiveSocket): SocketListener;
}

export interface SocketEndpoint {
	readonly paths: readonly string[];
	/** @throws CodedError when the upgrade is refused. */
	admit(request: UpgradeRequest): Admitted;
	/** Lets sessions end for so long, then tells those that are left and closes them. @returns whether anybody may still have to read that. */
	drain(milliseconds: number): Promise<boolean>;
}
