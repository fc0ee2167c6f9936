/**
 * The one file that touches uWebSockets. A handler of that library that throws, or returns with neither an answer nor an abort handler, kills the
 * process; so every raw `res` is owned by one Exchange here, and routes see values (http-exchange.ts).
 */

import uws from "uWebSockets.js";
import { randomUUID } from "node:crypto";
import { BodyStream } from "./body-stream.js";
import type { HttpAnswer, HttpHandler, HttpRequest } from "./http-exchange.js";
import { statusLine } from "./status-line.js";

export interface ServerOptions {
	readonly host: string;
	/** 0: any free one. */
	readonly port: number;
	/** Open connections; more are closed at once. */
	readonly connectionsMax: number;
	/** Of all headers of one request, in bytes; more get 431 from the library itself. */
	readonly headerBytesMax: number;
}

/** The port can't be listened on. */
export class ListenError extends Error {
	override readonly name = "ListenError";
}

const exclusivePort = 1; // without it a second process silently shares the port

export class HttpServer {
	readonly #options: ServerOptions;
	readonly #handle: HttpHandler;
	readonly #app: uws.TemplatedApp;
	readonly #exchanges = new Set<Exchange>();
	#listening: uws.us_listen_socket | undefined;
	#connections = 0;
	#whenIdle: (() => void) | undefined;

	/** @param handle answers every request, and never throws. */
	constructor(options: ServerOptions, handle: HttpHandler) {
		this.#options = options;
		this.#handle = handle;
		process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(options.headerBytesMax);
		this.#app = uws.App();
		this.#app.filter((res, change) => this.#onConnection(res, Number(change)));
		this.#app.any("/*", (res, req) => this.#onRequest(res, req));
	}

	/** @returns the port. @throws ListenError */
	listen(): Promise<number> {
		const { host, port } = this.#options;
		return new Promise((resolve, reject) => {
			const onListening = (socket: uws.us_listen_socket | false) => {
				if (!socket) {
					reject(
						new ListenError(
							`can't listen on ${host} port ${port}: another program has it, or the address is not this machine's. Set server.port (EARSHOT_SERVER_PORT) to a free one`,
						),
					);
					return;
				}
				this.#listening = socket;
				resolve(uws.us_socket_local_port(socket as unknown as uws.us_socket));
			};
			const listen = this.#app.listen as unknown as (
				host: string,
				port: number,
				flags: number,
				listener: typeof onListening,
			) => void;
			listen.call(this.#app, host, port, exclusivePort, onListening);
		});
	}

	get connections(): number {
		return this.#connections;
	}

	/** Takes no new connections; waits for answers under way, at most so long; then closes what is left. */
	async close(graceMs: number): Promise<void> {
		if (this.#listening) uws.us_listen_socket_close(this.#listening);
		this.#listening = undefined;
		if (this.#exchanges.size > 0 && graceMs > 0)
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, graceMs);
				this.#whenIdle = () => {
					clearTimeout(timer);
					resolve();
				};
			});
		this.#app.close();
	}

	#onConnection(res: uws.HttpResponse, change: number): void {
		this.#connections += change > 0 ? 1 : -1;
		if (change > 0 && this.#connections > this.#options.connectionsMax)
			res.close();
	}

	#onRequest(res: uws.HttpResponse, req: uws.HttpRequest): void {
		const exchange = new Exchange(res, req, () => {
			this.#exchanges.delete(exchange);
			if (this.#exchanges.size === 0) this.#whenIdle?.();
		});
		this.#exchanges.add(exchange);
		this.#handle(exchange).then(
			(answer) => exchange.answer(answer),
			() => exchange.answer({ http: 500, headers: {}, body: "" }),
		);
	}
}

/** One request and its answer: the owner of `res`. */
class Exchange implements HttpRequest {
	readonly id = randomUUID();
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	readonly parameters = {};
	readonly contentLength: number | undefined;
	readonly hasBody: boolean;
	readonly remoteAddress: string;
	readonly #headers = new Map<string, string>();
	readonly #gone = new AbortController();
	readonly #body: BodyStream;
	readonly #onOver: () => void;
	/** Undefined once answered or aborted: using it then throws in the library. */
	#res: uws.HttpResponse | undefined;

	constructor(res: uws.HttpResponse, req: uws.HttpRequest, onOver: () => void) {
		this.#res = res;
		this.#onOver = onOver;
		res.onAborted(() => this.#abort());
		// `req` lives only as long as this call: everything is copied now
		this.method = req.getMethod().toUpperCase();
		this.path = req.getUrl();
		this.query = new URLSearchParams(req.getQuery() ?? "");
		req.forEach((name, value) => {
			this.#headers.set(name, value);
		});
		this.remoteAddress = Buffer.from(res.getRemoteAddressAsText()).toString();
		const declared = this.#headers.get("content-length");
		this.contentLength = declared === undefined ? undefined : Number(declared);
		this.hasBody =
			(this.contentLength ?? 0) > 0 || this.#headers.has("transfer-encoding");
		this.#body = new BodyStream({
			pause: () => this.#res?.pause(),
			resume: () => this.#res?.resume(),
		});
		res.onData((chunk, isLast) => {
			this.#body.push(new Uint8Array(chunk).slice()); // neutered after this call
			if (isLast) this.#body.end();
		});
	}

	get gone(): AbortSignal {
		return this.#gone.signal;
	}

	header(name: string): string | undefined {
		return this.#headers.get(name);
	}

	body(bytesMax: number): AsyncIterable<Uint8Array> {
		return this.#body.take(bytesMax, this.contentLength);
	}

	answer(answer: HttpAnswer): void {
		this.#body.discard();
		const res = this.#res;
		if (!res) return;
		this.#res = undefined;
		res.cork(() => {
			res.writeStatus(statusLine(answer.http));
			for (const [name, value] of Object.entries(answer.headers))
				res.writeHeader(headerSafe(name), headerSafe(value));
			if (this.method === "HEAD")
				res.endWithoutBody(Buffer.byteLength(answer.body));
			else res.end(answer.body);
		});
		this.#onOver();
	}

	#abort(): void {
		const wasOpen = this.#res !== undefined;
		this.#res = undefined;
		const error = new DOMException("the client went away", "AbortError");
		this.#body.fail(error);
		this.#gone.abort(error);
		if (wasOpen) this.#onOver();
	}
}

/** The library writes CR and LF through as they are: a value that holds one could start a second answer. */
function headerSafe(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
	return text.replace(/[\x00-\x1f\x7f]/g, " ");
}
