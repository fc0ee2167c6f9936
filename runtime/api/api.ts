/** The whole API: every resource's routes (routes.ts), the edge around them, the server in front. */
import type { Config } from "../config/schema.js";
import type { Logger } from "../log/log.js";
import { LastCalls } from "./access/last-calls.js";
import { LastUse } from "./access/last-use.js";
import { TrustedProxies } from "./addressed.js";
import type { ApiParts } from "./api-parts.js";
import { Authenticator } from "./auth.js";
import { CallerShares } from "./caller-shares.js";
import { Edge } from "./edge.js";
import { Ingress } from "./ingress/ingress.js";
import type { ListenerStats } from "./listeners/listener-stats.js";
import { Metrics } from "./metrics/metrics.js";
import { type ServerStats, serverSeries } from "./metrics/server.js";
import type { InstalledModels } from "./openai/models.js";
import { ClientSecrets } from "./openai/realtime/client-secrets.js";
import { type RateLimit, RateLimiter } from "./rate-limit.js";
import { routesOf } from "./routes.js";
import { limiterFor } from "./server/connection-limiter.js";
import { connectionsThatFit, descriptorsMax } from "./server/descriptors.js";
import { HttpServer } from "./server/http-server.js";
import { HttpsServer } from "./server/https-server.js";
import type { CertificateFiles, Handle } from "./server/server-options.js";
import { streamEndpointsOf } from "./stream-endpoints.js";

type InForce = Pick<Config, "server" | "auth" | "tls" | "endpoints">;

export class Api {
	readonly metrics = new Metrics();
	readonly lastCalls = new LastCalls();
	readonly #server: HttpServer;
	readonly #https: HttpsServer | undefined;
	readonly #ingress: { server: HttpServer; stats: ListenerStats } | undefined;
	readonly #log: Logger;
	readonly #lastUse: LastUse;
	readonly #stopping = new AbortController();
	readonly models: InstalledModels;
	#port = 0;
	#ingressPort = 0;
	#config: InForce;

	/** @throws ServerError when the server's native part does not load on this machine. */
	constructor(parts: ApiParts) {
		const { server, tls, auth, limits, ingress } = parts.config;
		this.#config = parts.config;
		this.#log = parts.log;
		this.models = parts.models ?? (async () => []);
		const lastUse = new LastUse(
			parts.store.tokenUses,
			parts.log,
			() => parts.clock.expirySeconds(), // a clock that starts in 1970 must not replace a right time
		);
		this.#lastUse = lastUse;
		const inForce = () => this.#config;
		const corsOrigins = () => inForce().server.cors_origins;
		const limiter = new RateLimiter(() => rateLimit(this.#config));
		const secrets = new ClientSecrets();
		const authenticator = new Authenticator({
			tokens: parts.store.tokens,
			secrets,
			limiter,
			lastUse,
			lastCalls: this.lastCalls,
			required: auth.required,
			clock: parts.clock,
			tlsRequired: () => inForce().tls.required,
			corsOrigins,
		});
		const connectionsMax = connectionsWithin(server.connections_max, parts.log);
		const connections = new CallerShares("connections", {
			places: connectionsMax,
			callerShareMax: server.caller_share_max,
			networkShareMax: server.network_share_max,
		});
		const streams = streamEndpointsOf(parts, {
			inForce,
			corsOrigins,
			authenticator,
			connections,
			secrets,
			metrics: this.metrics,
		});
		const { endpoint, realtime, callEndpoint, microphoneEndpoint } = streams;
		const edge = new Edge({
			routes: routesOf(parts, {
				inForce,
				metrics: this.metrics,
				limiter,
				authenticator,
				endpoint,
				...(realtime && { realtime: { endpoint: realtime, secrets } }),
				callEndpoint,
				microphoneEndpoint,
				lastUse,
				stopping: this.#stopping.signal,
			}),
			authenticator,
			connections,
			metrics: this.metrics,
			log: parts.log,
			corsOrigins,
		});
		const options = {
			host: server.host,
			port: server.port,
			connectionsMax,
			networkShareMax: server.network_share_max,
			headerBytesMax: server.header_bytes_max,
			bodyBytesPerSecondMin: limits.body_bytes_per_second_min,
			proxies: new TrustedProxies(server.trusted_proxies),
			failure: edge.failure.bind(edge),
		};
		const handle: Handle = (request) => edge.handle(request);
		const sockets = {
			endpoint: streams.sockets,
			frameBytesMax: limits.stream_frame_bytes_max,
			idleTimeoutSeconds: server.idle_timeout_seconds,
			unreadBytesMax: limits.stream_unread_bytes_max,
		};
		const both = limiterFor(options, () => [
			this.#port,
			tls.port,
			this.#ingressPort,
		]);
		this.#server = new HttpServer(options, handle, sockets, both);
		if (tls.port > 0)
			this.#https = new HttpsServer({
				handle,
				sockets,
				limiter: both,
				options: { ...options, port: tls.port },
			});
		if (ingress.enabled) {
			const proxy = new Ingress({
				settings: ingress,
				open: () => this.#ingress?.server.ownConnections ?? 0,
				log: parts.log,
			});
			const { host, port } = ingress;
			const admits = (address: string) => proxy.admits(address);
			const own = { ...options, host, port, admits, proxies: proxy };
			this.#ingress = {
				server: new HttpServer(own, handle, sockets, both),
				stats: proxy.stats,
			};
		}
		this.metrics.watch(serverSeries, () => [this.#stats]);
	}

	get #stats(): ServerStats {
		return {
			connections: this.#server.connections, // of all ports
			requestsOpen:
				this.#server.requestsOpen +
				(this.#https?.requestsOpen ?? 0) +
				(this.#ingress?.server.requestsOpen ?? 0),
		};
	}

	/** @returns the port. @throws ServerError with a message of one sentence. */
	async start(): Promise<number> {
		this.#port = await this.#server.start();
		if (this.#ingress) await this.#startIngress(this.#ingress.server);
		return this.#port;
	}

	async #startIngress(server: HttpServer): Promise<void> {
		this.#ingressPort = await server.start();
		const port = this.#ingressPort;
		this.#log.info({ endpoint: "ingress", port }, "listening");
	}

	/** Of Home Assistant's ingress; 0 before the start, and where it is off. */
	get ingressPort(): number {
		return this.#ingressPort;
	}

	get listenerStats(): readonly ListenerStats[] {
		return this.#ingress ? [this.#ingress.stats] : [];
	}

	/** Serves HTTPS on `tls.port` with this certificate; connections that are open stay. @returns the port. @throws ServerError */
	useCertificate(files: CertificateFiles): Promise<number> {
		if (!this.#https) throw new Error("HTTPS is off");
		return this.#https.use(files);
	}

	/** Applies what a reload may change: `server.cors_origins`, `tls.required`, `server.drain_seconds`, rate limits, token lifetimes. */
	reconfigure(config: InForce): void {
		this.#config = config;
	}

	/** Accepts no new requests and lets open ones finish within `server.drain_seconds`. */
	async stop(): Promise<void> {
		const { drain_seconds } = this.#config.server;
		this.#stopping.abort();
		await Promise.all([
			this.#server.stop(drain_seconds),
			this.#https?.stop(drain_seconds),
			this.#ingress?.server.stop(drain_seconds),
		]);
		await this.#lastUse.keep();
		this.metrics.close();
	}
}

/** @returns the wanted number of connections, or fewer where the limit of open files does not allow them. */
function connectionsWithin(wanted: number, log: Logger): number {
	const limit = descriptorsMax();
	const connections = Math.min(wanted, connectionsThatFit(limit));
	if (connections < wanted)
		log.warn(
			{ openFilesMax: limit, connections },
			"fewer connections than server.connections_max: the limit of open files is low (LimitNOFILE=, ulimit -n)",
		);
	return connections;
}

function rateLimit({ auth }: Pick<Config, "auth">): RateLimit {
	return { perSecond: auth.rate_per_second, burst: auth.rate_burst };
}
