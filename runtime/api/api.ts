/** The whole API: every resource's routes (routes.ts), the edge around them, the server in front. */
import type { Config } from "../config/schema.js";
import type { Logger } from "../log/log.js";
import type { ApiParts } from "./api-parts.js";
import { Authenticator } from "./auth.js";
import { CallerShares } from "./caller-shares.js";
import { Edge } from "./edge.js";
import { LiveEndpoint } from "./live/live-endpoint.js";
import { Metrics } from "./metrics/metrics.js";
import { serverSeries } from "./metrics/server.js";
import { type RateLimit, RateLimiter } from "./rate-limit.js";
import { recordingLinks, routesOf } from "./routes.js";
import { connectionsThatFit, descriptorsMax } from "./server/descriptors.js";
import { HttpServer } from "./server/http-server.js";

export class Api {
	readonly metrics = new Metrics();
	readonly #server: HttpServer;
	#config: Pick<Config, "server" | "auth">;

	/** @throws ServerError when the server's native part does not load on this machine. */
	constructor(parts: ApiParts) {
		const { server, auth, limits } = parts.config;
		this.#config = parts.config;
		const inForce = () => this.#config;
		const limiter = new RateLimiter(() => rateLimit(this.#config));
		const authenticator = new Authenticator(
			parts.store.tokens,
			limiter,
			auth.required,
			parts.clock,
		);
		const connectionsMax = connectionsWithin(server.connections_max, parts.log);
		const connections = new CallerShares("connections", {
			places: connectionsMax,
			callerShareMax: server.caller_share_max,
			networkShareMax: server.network_share_max,
		});
		const endpoint = new LiveEndpoint({
			connections,
			lane: parts.lane,
			...recordingLinks(parts),
			languages: parts.languages,
			wordLists: parts.words.source,
			authenticator,
			get corsOrigins() {
				return inForce().server.cors_origins;
			},
			startSeconds: limits.stream_start_seconds,
			unreadBytesMax: limits.stream_unread_bytes_max,
			metrics: this.metrics,
			log: parts.log,
		});
		const edge = new Edge({
			routes: routesOf(parts, {
				inForce,
				metrics: this.metrics,
				limiter,
				authenticator,
				endpoint,
			}),
			authenticator,
			connections,
			metrics: this.metrics,
			log: parts.log,
			get corsOrigins() {
				return inForce().server.cors_origins;
			},
		});
		this.#server = new HttpServer(
			{
				host: server.host,
				port: server.port,
				connectionsMax,
				networkShareMax: server.network_share_max,
				headerBytesMax: server.header_bytes_max,
				bodyBytesPerSecondMin: limits.body_bytes_per_second_min,
			},
			(request) => edge.handle(request),
			{
				endpoint,
				frameBytesMax: limits.stream_frame_bytes_max,
				idleTimeoutSeconds: server.idle_timeout_seconds,
			},
		);
		this.metrics.watch(serverSeries, () => [this.#server]);
	}

	/** @returns the port. @throws ServerError with a message of one sentence. */
	start(): Promise<number> {
		return this.#server.start();
	}

	/** Applies what a reload may change: `server.cors_origins`, `server.drain_seconds`, rate limits, token lifetimes. */
	reconfigure(config: Pick<Config, "server" | "auth">): void {
		this.#config = config;
	}

	/** Accepts no new requests and lets open ones finish within `server.drain_seconds`. */
	async stop(): Promise<void> {
		await this.#server.stop(this.#config.server.drain_seconds);
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
