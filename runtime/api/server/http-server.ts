/**
 * The HTTP and WebSocket server. Only this folder uses uWebSockets.js (its rules: http-exchange.ts, web-socket.ts); a handler never throws into it, and always
 * answers.
 */

import type {
	HttpRequest,
	HttpResponse,
	TemplatedApp,
	us_listen_socket,
} from "uWebSockets.js";
import { setTimeout as sleep } from "node:timers/promises";
import { CodedError, serverStopping } from "../../errors.js";
import { type AddressReader, TrustedProxies } from "../addressed.js";
import { failureAt } from "../error-dialect.js";
import type { SocketEndpoint } from "../live-socket.js";
import { type ConnectionLimiter, limiterFor } from "./connection-limiter.js";
import { type AddressedBy, addressOf, HttpExchange } from "./http-exchange.js";
import { listenAdvice } from "./listen-advice.js";
import { loadNative, type Native, nativeApp } from "./native.js";
import { ServerError } from "./server-error.js";
import type {
	Failure,
	Handle,
	ServerOptions,
	SocketSide,
} from "./server-options.js";
import { listenForSockets } from "./web-socket.js";

const exclusivePort = 1; // LIBUS_LISTEN_EXCLUSIVE_PORT: otherwise two processes can share the port unnoticed
/** Time for clients to read their last message before the connection is closed. */
const lastMessageMs = 300;

export class HttpServer {
	readonly #options: ServerOptions;
	readonly #handle: Handle;
	readonly #failure: Failure;
	readonly #endpoint: SocketEndpoint | undefined;
	readonly #native: Native;
	readonly #app: TemplatedApp;
	readonly #addressedBy: AddressedBy;
	readonly #open = new Set<HttpExchange>();
	#listener: us_listen_socket | undefined;
	readonly #limiter: ConnectionLimiter;
	#port = 0;
	#stopping = false;
	/** A server with another certificate has taken over: the connections that are open end one by one. */
	#retired = false;
	#closed = false;
	#own = 0;
	#onIdle: (() => void) | undefined;
	#clock: NodeJS.Timeout | undefined;

	/**
	 * @param limiter shared with the servers of other ports; default: one of its own
	 * @throws ServerError when the native library does not load on this machine, or can't use the certificate.
	 */
	constructor(
		options: ServerOptions,
		handle: Handle,
		sockets?: SocketSide,
		limiter?: ConnectionLimiter,
	) {
		this.#options = options;
		this.#handle = handle;
		this.#failure = options.failure ?? failureAt;
		this.#endpoint = sockets?.endpoint;
		this.#native = loadNative();
		this.#app = nativeApp(this.#native, options.certificate);
		const { proxies = new TrustedProxies() as AddressReader } = options;
		this.#addressedBy = (remoteAddress, header) =>
			proxies.addressed({
				remoteAddress,
				header,
				isSecure: options.certificate !== undefined,
			});
		this.#limiter = limiter ?? limiterFor(options, () => [this.#port]);
		this.#app.filter((res, change) =>
			this.#countConnection(res, Number(change)),
		);
		const onRequest = (res: HttpResponse, req: HttpRequest) =>
			this.#take(res, req);
		if (sockets)
			listenForSockets(
				this.#app,
				this.#native,
				sockets.endpoint,
				{
					...sockets,
					headerBytesMax: options.headerBytesMax,
					addressedBy: this.#addressedBy,
				},
				{
					onPlain: onRequest,
					// the library reports the end of a connection, but not of one that became a WebSocket
					onClose: () => {
						this.#limiter.left();
						this.#left();
					},
				},
			);
		this.#app.any("/*", onRequest);
	}

	get connections(): number {
		return this.#limiter.open;
	}

	/** Without those of other ports that share its limiter. */
	get ownConnections(): number {
		return this.#own;
	}

	/** All of its connections have ended. */
	get isClosed(): boolean {
		return this.#closed;
	}

	get requestsOpen(): number {
		return this.#open.size;
	}

	/** @returns the port. @throws ServerError */
	async start(): Promise<number> {
		const { host, port, certificate } = this.#options;
		const listener = await new Promise<us_listen_socket | false>(
			(listening) => {
				const listen = this.#app.listen as (...args: unknown[]) => void;
				listen.call(this.#app, host, port, exclusivePort, listening);
			},
		);
		if (!listener)
			throw new ServerError(
				await listenAdvice(host, port, certificate !== undefined),
			);
		this.#listener = listener;
		this.#clock = setInterval(
			() => this.#onSecond(),
			this.#options.secondMs ?? 1000,
		);
		this.#port = this.#native.us_socket_local_port(listener);
		return this.#port;
	}

	/** Accepts no new connections, and closes when the last open one has ended, however long that takes: another server takes its port. */
	retire(): void {
		if (this.#retired || this.#stopping) return;
		this.#retired = true;
		this.#stopListening();
		if (this.#own === 0) this.#close();
	}

	/** Accepts no new connections, lets open requests and sessions finish within the time given, then ends them with an error. */
	async stop(drainSeconds: number): Promise<void> {
		if (this.#stopping) return;
		this.#stopping = true;
		this.#stopListening();
		const drainMs = drainSeconds * 1000;
		const [hadSessions] = await Promise.all([
			this.#endpoint?.drain(drainMs),
			this.#idleWithin(drainMs),
		]);
		const late = [...this.#open];
		const reason = serverStopping();
		for (const exchange of late)
			exchange.refuse(this.#failure(exchange, reason), reason);
		if (hadSessions || late.length > 0) await sleep(lastMessageMs);
		this.#close();
	}

	#stopListening(): void {
		if (this.#listener) this.#native.us_listen_socket_close(this.#listener);
		this.#listener = undefined;
	}

	#close(): void {
		clearInterval(this.#clock);
		if (this.#closed) return;
		this.#closed = true;
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

	#countConnection(res: HttpResponse, change: number): void {
		if (change < 0) {
			this.#limiter.closed();
			this.#left();
			return;
		}
		this.#own++;
		const address = addressOf(res);
		const { admits = () => true } = this.#options;
		if (!this.#limiter.opened(address) || !admits(address)) res.close();
	}

	/** One of this server's connections has ended. */
	#left(): void {
		this.#own--;
		if (this.#retired && this.#own === 0) this.#close();
	}

	#take(res: HttpResponse, req: HttpRequest): void {
		const exchange: HttpExchange = new HttpExchange(
			res,
			req,
			this.#options.bodyBytesPerSecondMin,
			this.#addressedBy,
			() => this.#forget(exchange),
		);
		this.#open.add(exchange);
		this.#answer(exchange).catch(() => exchange.giveUp());
	}

	async #answer(exchange: HttpExchange): Promise<void> {
		const refused = this.#refusal(exchange);
		if (refused) {
			const answer = this.#failure(exchange, refused.error);
			exchange.respond(answer, true, refused.http);
			return;
		}
		const response = await this.#handle(exchange);
		exchange.respond(response, this.#stopping || this.#retired);
	}

	/** Checks the request before its route. */
	#refusal(
		exchange: HttpExchange,
	): { error: CodedError; http?: number } | undefined {
		if (this.#stopping) return { error: serverStopping() };
		const { headerBytesMax } = this.#options;
		if (exchange.headerBytes > headerBytesMax) {
			const message = `the query and the headers of a request must be at most ${headerBytesMax} bytes, got ${exchange.headerBytes}`;
			return { error: new CodedError("200004", message), http: 431 };
		}
		return exchange.framingError
			? { error: new CodedError("200003", exchange.framingError) }
			: undefined;
	}

	#onSecond(): void {
		for (const exchange of this.#open) exchange.onSecond();
	}

	#forget(exchange: HttpExchange): void {
		this.#open.delete(exchange);
		if (this.#open.size === 0) this.#onIdle?.();
	}
}
