/**
 * What a route sees of HTTP: a request whose body is a bounded stream, and an answer as a value. Nothing here knows the server library.
 */
export interface HttpRequest {
	/** Unique; in the log, in the `X-Request-Id` header, and in the message of an internal error. */
	readonly id: string;
	/** Upper case. */
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	/** What stands for `:name` in the route's path, decoded. */
	readonly parameters: Readonly<Record<string, string>>;
	/** Declared length; undefined when chunked or absent. Never to be allocated from. */
	readonly contentLength: number | undefined;
	/** Whether a body was announced. */
	readonly hasBody: boolean;
	readonly remoteAddress: string;
	/** Aborted when the client goes away before it was answered. */
	readonly gone: AbortSignal;
	/** @param name lower case. */
	header(name: string): string | undefined;
	/**
	 * The body as it comes, once. The socket waits while nobody takes chunks.
	 * @throws CodedError 200004 as soon as it is, or says it will be, larger than the limit; what `gone` says when the client left.
	 */
	body(bytesMax: number): AsyncIterable<Uint8Array>;
}

export interface HttpAnswer {
	readonly http: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | Uint8Array;
}

export type HttpHandler = (request: HttpRequest) => Promise<HttpAnswer>;

/** The whole body in one piece. @throws like `HttpRequest.body`. */
export async function wholeBody(
	request: HttpRequest,
	bytesMax: number,
): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of request.body(bytesMax)) chunks.push(chunk);
	return Buffer.concat(chunks);
}
