/**
 * One HTTP request and its answer as the rest of the API sees them: nothing here knows which server carries them.
 */
import type { Logger } from "../log/log.js";
import type { Owner } from "../owner.js";

export interface ApiRequest {
	/** Upper case. */
	readonly method: string;
	/** As sent, without the query; not decoded. */
	readonly path: string;
	/** Without the question mark; empty when there is none. */
	readonly query: string;
	readonly remoteAddress: string;
	/** @param name in lower case. Several headers of one name are joined by ", ". */
	header(name: string): string | undefined;
	/** Undefined for a chunked body or none. */
	readonly contentLength: number | undefined;
	/** @param act called once, when the last byte of the answer is out or the client is gone; at once where that was before. */
	whenOver(act: () => void): void;
	/** Aborted when the client is gone, or the server gives up waiting at its stop. */
	readonly signal: AbortSignal;
	/**
	 * The body as it comes, with backpressure; may be read once.
	 * @throws CodedError 200004 as soon as it is known to be longer than the limit, ClientGone when the client is.
	 */
	body(limitBytes: number): AsyncIterable<Uint8Array>;
}

export interface ApiResponse {
	readonly http: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | StreamedBody;
}

/** A body that is too long to be made in one piece. It is read at the pace of the client; one who leaves ends the iteration. */
export interface StreamedBody {
	/**
	 * Called at most once, and only where somebody is there to read: what the pieces come from is opened then, not before. One that throws breaks the connection
	 * off: the client sees that there should have been more.
	 */
	pieces(): AsyncIterable<string | Uint8Array>;
	/** Nobody will read it: what it holds is closed. Absent where nothing is held before `pieces`. */
	discard?(): void;
	/** Of all pieces together, where that is known: sent as Content-Length. */
	readonly bytes?: number;
}

/** Nobody is left to answer. */
export class ClientGone extends Error {
	override readonly name = "ClientGone";
}

/** What a handler gets beside the request. */
export interface RequestContext {
	readonly request: ApiRequest;
	readonly requestId: string;
	/** The `:name` segment of the path, decoded. */
	readonly params: Readonly<Record<string, string>>;
	readonly principal: Principal;
	/** Knows the request id. */
	readonly log: Logger;
}

/** Who asks. */
export interface Principal {
	/** The token's id; "anonymous" where none is needed. */
	readonly id: string;
	/** Whose what it makes is. */
	readonly owner: Owner;
	/** The token's name: `app_id` of messages. For people; `owner` tells callers apart. */
	readonly name: string;
	may(scope: string): boolean;
}
