/**
 * One WebSocket as the rest of the API sees it, independent of the server library. The server calls the endpoint at each upgrade, then the listener that the
 * endpoint returned, until `onClosed`, which comes exactly once.
 */

import type { Owner } from "../owner.js";
import type { CallerShares } from "./caller-shares.js";
import type { Addressed } from "./exchange.js";

/** An upgrade request. Only valid during `admit`. */
export interface UpgradeRequest extends Addressed {
	/** As sent, without the query. */
	readonly path: string;
	/** Without the question mark; may be empty. */
	readonly query: string;
	readonly remoteAddress: string;
	/** @param name in lower case. Several headers of one name are joined by ", ". */
	header(name: string): string | undefined;
}

export interface LiveSocket {
	/** Does nothing on a closed socket. */
	send(text: string): void;
	/** A session has begun: its own limits bound its cost from now on. */
	started(): void;
	/** Bytes sent that the client has not read yet. */
	readonly unreadBytes: number;
	/** Makes the client wait: nothing more is read from the socket, except what has arrived already. */
	hold(): void;
	/** Resumes reading. */
	release(): void;
	/** Closes after what was sent. `onClosed` follows. */
	close(code: number, reason: string): void;
}

export interface SocketListener {
	onText(text: string): void;
	/** @param bytes of one frame; only valid during the call. */
	onBinary(bytes: Uint8Array): void;
	/** The socket is closed, for whatever reason. */
	onClosed(): void;
}

/** An upgrade that was granted. */
export interface Admitted {
	/** Sent back to the client. */
	readonly subprotocol: string | undefined;
	/** The caller whose share of socket memory it takes. */
	readonly sharer: Owner;
	/** The places for long messages that it may take one of; absent: those of all sessions, until it has started. */
	readonly longMessages?: CallerShares;
	open(socket: LiveSocket): SocketListener;
}

/** Bytes of a message that every socket may send. A start message with all its hotwords fits. */
export const shortMessageBytes = 64 * 1024;

export interface SocketEndpoint {
	/** A segment may be a parameter: `/v1/calls/:call/ws`. */
	readonly paths: readonly string[];
	/** The largest message of every socket of this path, in bytes; absent or undefined: short ones, and long ones for those that hold a place for them. */
	messageBytesMax?(path: string): number | undefined;
	/** @throws CodedError when the upgrade is refused. */
	admit(request: UpgradeRequest): Admitted;
	/**
	 * Lets sessions end within the time given, then sends the remaining ones an error and closes them. @returns whether clients may still have to read that
	 * message
	 */
	drain(milliseconds: number): Promise<boolean>;
}
