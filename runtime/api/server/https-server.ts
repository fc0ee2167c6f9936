/**
 * The same API over TLS. The library reads a certificate once, when a server is made; so another certificate means another server on the same port, while the
 * previous one keeps its open connections until they end.
 */
import type { ConnectionLimiter } from "./connection-limiter.js";
import { HttpServer } from "./http-server.js";
import type {
	CertificateFiles,
	Handle,
	ServerOptions,
	SocketSide,
} from "./server-options.js";

export interface HttpsParts {
	readonly options: Omit<ServerOptions, "certificate">;
	readonly handle: Handle;
	readonly sockets?: SocketSide;
	readonly limiter: ConnectionLimiter;
}

export class HttpsServer {
	readonly #parts: HttpsParts;
	/** The last one accepts connections. */
	readonly #servers: HttpServer[] = [];
	#port: number | undefined;

	constructor(parts: HttpsParts) {
		this.#parts = parts;
	}

	/** Undefined until it listens. */
	get port(): number | undefined {
		return this.#port;
	}

	get requestsOpen(): number {
		return this.#servers.reduce((sum, it) => sum + it.requestsOpen, 0);
	}

	/** Listens, or continues with another certificate; nobody is disconnected. @returns the port. @throws ServerError: nothing listens then, and another call may succeed */
	async use(certificate: CertificateFiles): Promise<number> {
		const { options, handle, sockets, limiter } = this.#parts;
		const port = this.#port ?? options.port;
		const next = new HttpServer(
			{ ...options, port, certificate },
			handle,
			sockets,
			limiter,
		);
		const previous = this.#servers.at(-1);
		previous?.retire();
		this.#port = await next.start();
		this.#servers.push(next);
		this.#forgetClosed();
		return this.#port;
	}

	async stop(drainSeconds: number): Promise<void> {
		await Promise.all(this.#servers.map((it) => it.stop(drainSeconds)));
	}

	#forgetClosed(): void {
		const open = this.#servers.filter((it) => !it.isClosed);
		this.#servers.splice(0, this.#servers.length, ...open);
	}
}
