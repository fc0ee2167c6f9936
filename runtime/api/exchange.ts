/**
 * One HTTP request and its answer as the rest of the API sees them, independent of the server library.
 */
import type { Logger } from "../log/log.js";
import type { Owner } from "../owner.js";
import type { MeasuredRequest } from "./metrics/endpoints.js";

/** What the client addressed (addressed.ts). */
export interface Addressed {
	/** With the port, if it has one; undefined where the request names no valid host. */
	readonly host: string | undefined;
	/** The client speaks TLS, to this server or to a proxy that is trusted. */
	readonly isSecure: boolean;
	/** The path under which a trusted proxy offers this server: `/asr`, without a slash at the end; empty: none. */
	readonly prefix: string;
	/**
	 * The caller, where the listener that the request came through answers for it (ingress/ingress.ts): no token is asked for. Never from what a client can say of
	 * itself. Pages that such a caller gets may be framed by pages of the same origin.
	 */
	readonly signedIn?: Principal | undefined;
}

export interface ApiRequest extends Addressed {
	/** Upper case. */
	readonly method: string;
	/** As sent, without the query; not decoded. */
	readonly path: string;
	/** Without the question mark; may be empty. */
	readonly query: string;
	readonly remoteAddress: string;
	/** @param name in lower case. Several headers of one name are joined by ", ". */
	header(name: string): string | undefined;
	/** Undefined for a chunked body or no body. */
	readonly contentLength: number | undefined;
	/** @param act called once: when the last byte of the answer is sent or the client has disconnected; at once where that has already happened. */
	whenOver(act: () => void): void;
	/** Aborted when the client disconnects, or when the server stops waiting at shutdown: then with a CodedError as its reason, by which an answer that has begun can end. */
	readonly signal: AbortSignal;
	/**
	 * The body as it arrives, with backpressure; may be read once.
	 * @throws CodedError 200004 as soon as it is known to exceed the limit, ClientGone when the client disconnects.
	 */
	body(limitBytes: number): AsyncIterable<Uint8Array>;
}

export interface ApiResponse {
	readonly http: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | StreamedBody;
}

/** A body that is too long to build in one piece. It is read at the client's pace; a disconnect ends the iteration. */
export interface StreamedBody {
	/**
	 * Called at most once, and only if the body will be read: its source is opened then, not before. An error that it throws breaks the connection, so that the
	 * client sees the answer is incomplete.
	 */
	pieces(): AsyncIterable<string | Uint8Array>;
	/** The body will not be read: releases what it holds. Absent where nothing is held before `pieces`. */
	discard?(): void;
	/** Size of all pieces together, if known: sent as Content-Length. */
	readonly bytes?: number;
}

/** The client has disconnected: there is nobody to answer. */
export class ClientGone extends Error {
	override readonly name = "ClientGone";
}

/** What a handler gets with the request. */
export interface RequestContext {
	readonly request: ApiRequest;
	readonly requestId: string;
	/** The `:name` segment of the path, decoded. */
	readonly params: Readonly<Record<string, string>>;
	readonly principal: Principal;
	/** Its lines carry the request id. */
	readonly log: Logger;
	/** Begun with the request and ended by the edge; the handler says what happens between. */
	readonly measured: MeasuredRequest;
}

/** The authenticated caller. */
export interface Principal {
	/** The token's id; "anonymous" where no token is required. */
	readonly id: string;
	/** Whose rate limit its requests count against, where that is another token's: that of a session is its token's. */
	readonly chargedTo?: string;
	/** Its token is one of many that come and go: an application's, or a session of the console. */
	readonly isPassing?: boolean;
	/** The owner of what the caller creates. */
	readonly owner: Owner;
	/** The token's name: `app_id` of messages. For people; callers are distinguished by `owner`. */
	readonly name: string;
	may(scope: string): boolean;
	/** Whether the token is still valid; absent: there is none. */
	isInForce?(): boolean;
}
