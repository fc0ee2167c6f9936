/** What a server is made of: its address and limits, what answers its requests, and its WebSockets. */
import type { CodedError } from "../../errors.js";
import type { AddressReader } from "../addressed.js";
import type { ApiRequest, ApiResponse } from "../exchange.js";
import type { SocketEndpoint } from "../live-socket.js";
import type { SocketLimits } from "./web-socket.js";

export interface ServerOptions {
	readonly host: string;
	/** 0: any free one. */
	readonly port: number;
	/** PEM files; absent: plain HTTP. */
	readonly certificate?: CertificateFiles;
	/** Whose word counts for what a client addressed; absent: nobody's. */
	readonly proxies?: AddressReader;
	/** Connections of other addresses are closed before a byte is read; absent: all are accepted. */
	readonly admits?: (address: string) => boolean;
	readonly connectionsMax: number;
	/** Fraction of them that one network may hold. */
	readonly networkShareMax: number;
	readonly headerBytesMax: number;
	/** A body slower than this for half a minute is answered 408; 0: no minimum. */
	readonly bodyBytesPerSecondMin: number;
	/** Answers what the server itself refuses or cuts off; absent: as the paths around it are answered. */
	readonly failure?: Failure;
	/** Length of the "second" at which bodies are judged, in milliseconds; shorter in tests. */
	readonly secondMs?: number;
}

/** A private key and its certificate with those that signed it, in PEM; both may be in one file. */
export interface CertificateFiles {
	readonly key: string;
	readonly certificate: string;
}

/** Answers a request; never rejects. */
export type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** The answer of an error. */
export type Failure = (
	request: Pick<ApiRequest, "method" | "path">,
	error: CodedError,
) => ApiResponse;

/** The endpoint of WebSockets and its limits. */
export interface SocketSide
	extends Omit<SocketLimits, "headerBytesMax" | "addressedBy"> {
	readonly endpoint: SocketEndpoint;
}
