/** What is asked of a place outside, and how much of it is borne. */
export interface OutboundLimits {
	/** To a connection that is ready for the request, names and TLS included. */
	readonly connectSecondsMax: number;
	/** From there to the answer's headers. */
	readonly headersSecondsMax: number;
	/** Without a byte. */
	readonly idleSecondsMax: number;
	/** That are spent waiting for the next 32 KiB of the answer's body: 32 asks for 1 KiB a second. */
	readonly pieceSecondsMax: number;
	/** From the first name to the last byte, redirects included. */
	readonly secondsMax: number;
	/** Of the answer's body. */
	readonly bytesMax: number;
}

export interface OutboundRequest {
	readonly method: "GET" | "POST";
	readonly headers?: Readonly<Record<string, string>>;
	/** Sent chunked where its length is not in the headers. */
	readonly body?: AsyncIterable<Uint8Array | string>;
	/** 0: a redirect is an answer like any other. Only for requests without a body. */
	readonly redirectsMax: number;
	readonly limits: OutboundLimits;
	readonly signal?: AbortSignal;
}
