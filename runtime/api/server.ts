/**
 * The HTTP server. The only file that touches uWebSockets.js, whose rules are hard (each broken one ends the process), so they are all kept here:
 * - `onAborted` comes first, and nothing is called on a response that was ended or aborted: `#alive` says so.
 * - A handler never throws into it, and always answers.
 * - Request headers are only readable, and body chunks only ours, inside the callback: both are copied.
 * - Header values go out as they are: control characters are refused here.
 * A WebSocket route belongs beside `#listenForRequests`, with the same care.
 */

import type {
	HttpRequest,
	HttpResponse,
	TemplatedApp,
	us_listen_socket,
} from "uWebSockets.js";
import { STATUS_CODES } from "node:http";
import { createRequire } from "node:module";
import { CodedError } from "../errors.js";
import { BodyStream } from "./body-stream.js";
import { failure } from "./envelope.js";
import type { ApiRequest, ApiResponse } from "./exchange.js";
import {
	contentLengthOf,
	framingErrorOf,
	type Headers,
	headerBytesOf,
} from "./framing.js";
import { listenAdvice } from "./listen-advice.js";
import { currentPlatform, nativeAdvice } from "./native-advice.js";
import { ServerError } from "./server-error.js";

export { ServerError } from "./server-error.js";

/** What the native parser itself allows; beyond it answers a bare 431. Read when the library is loaded. */
const nativeHeaderBytesMax = 131_072;
const exclusivePort = 1; // LIBUS_LISTEN_EXCLUSIVE_PORT: otherwise two processes share it in silence
/** A refused body of at most this size is read to its end and dropped, so that the client gets its answer however it is written; a longer one ends the connection. */
const drainBytesMax = 64 * 1024 * 1024;

export interface ServerOptions {
	readonly host: string;
	/** 0: any free one. */
	readonly port: number;
	readonly connectionsMax: number;
	readonly headerBytesMax: number;
}

/** Answers a request; never rejects. */
export type Handle = (request: ApiRequest) => Promise<ApiResponse>;

type Native = typeof import("uWebSockets.js");

export class HttpServer {
	readonly #options: ServerOptions;
	readonly #handle: Handle;
	readonly #native: Native;
	readonly #app: TemplatedApp;
	readonly #open = new Set<Exchange>();
	#listener: us_listen_socket | undefined;
	#connections = 0;
	#stopping = false;
	#onIdle: (() => void) | undefined;

	/** @throws ServerError when the native library does not load on this machine. */
	constructor(options: ServerOptions, handle: Handle) {
		this.#options = options;
		this.#handle = handle;
		this.#native = loadNative();
		this.#app = this.#native.App();
		this.#capConnections();
		this.#listenForRequests();
	}

	get connections(): number {
		return this.#connections;
	}

	get requestsOpen(): number {
		return this.#open.size;
	}

	/** @returns the port. @throws ServerError */
	async start(): Promise<number> {
		const { host, port } = this.#options;
		const listener = await new Promise<us_listen_socket | false>(
			(listening) => {
				const listen = this.#app.listen as (...args: unknown[]) => void;
				listen.call(this.#app, host, port, exclusivePort, listening);
			},
		);
		if (!listener) throw new ServerError(await listenAdvice(host, port));
		this.#listener = listener;
		return this.#native.us_socket_local_port(listener);
	}

	/** Takes no new connection, lets open requests finish for so long, then ends them. */
	async stop(drainSeconds: number): Promise<void> {
		if (this.#stopping) return;
		this.#stopping = true;
		if (this.#listener) this.#native.us_listen_socket_close(this.#listener);
		await this.#idleWithin(drainSeconds * 1000);
		for (const exchange of this.#open) exchange.giveUp();
		this.#app.close();
	}

	#idleWithin(milliseconds: number): Promise<void> {
		if (this.#open.size === 0) return Promise.resolve();
		return new Promise((done) => {
			const timer = setTimeout(done, milliseconds);
			this.#onIdle = () => {
				clearTimeout(timer);
				done();
			};
		});
	}

	#capConnections(): void {
		this.#app.filter((res, change) =>
			this.#countConnection(res, Number(change)),
		);
	}

	#countConnection(res: HttpResponse, change: number): void {
		this.#connections += change;
		if (change > 0 && this.#connections > this.#options.connectionsMax)
			res.close();
	}

	#listenForRequests(): void {
		this.#app.any("/*", (res, req) => {
			const exchange: Exchange = new Exchange(res, req, () =>
				this.#forget(exchange),
			);
			this.#open.add(exchange);
			this.#answer(exchange).catch(() => exchange.giveUp());
		});
	}

	async #answer(exchange: Exchange): Promise<void> {
		const refused = this.#refusal(exchange);
		if (refused) exchange.respond(failure(refused.error), true, refused.http);
		else exchange.respond(await this.#handle(exchange), this.#stopping);
	}

	/** What is wrong with the request before anybody looks at what it asks for. */
	#refusal(
		exchange: Exchange,
	): { error: CodedError; http?: number } | undefined {
		if (this.#stopping) {
			const retryAfterSeconds = 5;
			return {
				error: new CodedError("100004", "the server is stopping", {
					retryAfterSeconds,
				}),
			};
		}
		const { headerBytesMax } = this.#options;
		if (exchange.headerBytes > headerBytesMax) {
			const message = `request headers must be at most ${headerBytesMax} bytes, got ${exchange.headerBytes}`;
			return { error: new CodedError("200004", message), http: 431 };
		}
		return exchange.framingError
			? { error: new CodedError("200003", exchange.framingError) }
			: undefined;
	}

	#forget(exchange: Exchange): void {
		this.#open.delete(exchange);
		if (this.#open.size === 0) this.#onIdle?.();
	}
}

/** A request and the way back to its client. */
class Exchange implements ApiRequest {
	readonly method: string;
	readonly path: string;
	readonly query: string;
	readonly remoteAddress: string;
	readonly contentLength: number | undefined;
	readonly headerBytes: number;
	/** Two readings of where the body ends are a door for smuggled requests. */
	readonly framingError: string | undefined;
	readonly #headers: Headers;
	readonly #res: HttpResponse;
	readonly #body: BodyStream;
	readonly #abort = new AbortController();
	readonly #onOver: () => void;
	#alive = true;

	constructor(res: HttpResponse, req: HttpRequest, onOver: () => void) {
		this.#res = res;
		this.#onOver = onOver;
		res.onAborted(() => this.#becomeOver(true));
		this.method = req.getMethod().toUpperCase();
		this.path = req.getUrl();
		this.query = req.getQuery() ?? "";
		this.#headers = copyHeaders(req);
		this.headerBytes =
			this.path.length + this.query.length + headerBytesOf(this.#headers);
		this.framingError = framingErrorOf(this.#headers);
		this.contentLength = contentLengthOf(this.#headers);
		this.remoteAddress = Buffer.from(res.getRemoteAddressAsText()).toString();
		this.#body = new BodyStream(
			{
				pause: () => this.#alive && res.pause(),
				resume: () => this.#alive && res.resume(),
			},
			this.contentLength,
		);
		res.onData((chunk, isLast) =>
			this.#body.accept(new Uint8Array(chunk), isLast),
		);
	}

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	header(name: string): string | undefined {
		return this.#headers.get(name)?.join(", ");
	}

	body(limitBytes: number): AsyncIterable<Uint8Array> {
		return this.#body.read(limitBytes);
	}

	/** @param http another status line than the answer's own. */
	respond(
		response: ApiResponse,
		endConnection: boolean,
		http = response.http,
	): void {
		if (!this.#alive) return;
		const headers = Object.entries(response.headers).filter(isSendable);
		if (headers.length < Object.keys(response.headers).length) {
			this.respond(failure(new CodedError("100003")), true);
			return;
		}
		this.#body.drop();
		const unread = this.#body.bytesToCome;
		const end = endConnection || unread === undefined || unread > drainBytesMax;
		this.#res.cork(() => {
			this.#res.writeStatus(`${http} ${STATUS_CODES[http] ?? ""}`);
			for (const [name, value] of headers) this.#res.writeHeader(name, value);
			this.#write(response.body, end);
		});
		this.#becomeOver(false);
	}

	/** The server can't wait for it any longer. */
	giveUp(): void {
		if (!this.#alive) return;
		this.#res.close(); // runs onAborted
	}

	#write(body: string, end: boolean): void {
		if (this.method !== "HEAD") {
			this.#res.end(body, end);
			return;
		}
		this.#res.writeHeader("Content-Length", String(Buffer.byteLength(body)));
		this.#res.endWithoutBody(); // with any argument it would write the length again
	}

	#becomeOver(aborted: boolean): void {
		if (!this.#alive) return;
		this.#alive = false;
		if (aborted) {
			this.#body.abort();
			this.#abort.abort();
		}
		this.#onOver();
	}
}

function copyHeaders(req: HttpRequest): Headers {
	const headers = new Map<string, string[]>();
	req.forEach((name, value) => {
		const values = headers.get(name);
		if (values) values.push(value);
		else headers.set(name, [value]);
	});
	return headers;
}

/** Control characters would end the header and begin another, or a body. */
function isSendable([name, value]: [string, string]): boolean {
	return /^[A-Za-z0-9-]+$/.test(name) && !/\p{Cc}/u.test(value);
}

/** @throws ServerError when the native library does not load on this machine. */
export function loadNative(): Native {
	process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(nativeHeaderBytesMax);
	try {
		return createRequire(import.meta.url)("uWebSockets.js") as Native;
	} catch (cause) {
		const advice = nativeAdvice(currentPlatform(), (cause as Error).message);
		throw new ServerError(advice, { cause });
	}
}
