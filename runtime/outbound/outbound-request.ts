/** An outbound request and its limits. */
export interface OutboundLimits {
	/** Until a connection is ready for the request, including name lookup and TLS. */
	readonly connectSecondsMax: number;
	/** From the last byte of the request, as the kernel took it, to the answer's headers. */
	readonly headersSecondsMax: number;
	/** Time without a byte, of the request or the answer. */
	readonly idleSecondsMax: number;
	/** Waiting time for each 32 KiB of the answer's body: 32 requires 1 KiB per second. */
	readonly pieceSecondsMax: number;
	/** From the first name lookup to the last byte, including redirects. */
	readonly secondsMax: number;
	/** Size of the answer's body. */
	readonly bytesMax: number;
}

export interface OutboundRequest {
	readonly method: "GET" | "POST";
	readonly headers?: Readonly<Record<string, string>>;
	/** Sent chunked if its length is not in the headers. */
	readonly body?: AsyncIterable<Uint8Array | string>;
	/** 0: a redirect is returned like any other answer. Only for requests without a body. */
	readonly redirectsMax: number;
	readonly limits: OutboundLimits;
	readonly signal?: AbortSignal;
}
