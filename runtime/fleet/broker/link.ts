/**
 * Keeps the broker connected for as long as the appliance runs: it reconnects after each end, with pauses that grow while it fails and differ from device to
 * device, so that the devices of a site do not all reconnect at the same moment.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { LogPort } from "../../log/log-port.js";
import { BrokerConnection, type ConnectionSettings } from "./connection.js";
import { ConnectionLost } from "./connection-lost.js";
import { takenOver } from "./reasons.js";
import { RefusedTopics } from "./refused-topics.js";

const pauseMsMin = 200;
const pauseMsMax = 30_000;
/** After a connection that the broker accepted: it is available, and may have been restarted. */
const pauseMsMaxOnceUp = 2000;
/** Two devices with the same name disconnect each other: this limits how often. */
const pauseMsTakenOver = 30_000;
/** A connection that lasted this long counts as stable. */
const goodMs = 5000;
/** For the last message. A broker whose network is gone would be waited for until the keepalive shows it; it publishes the will in any case. */
const lastMsMax = 2000;

export type LinkState =
	| { readonly is: "connecting" }
	| { readonly is: "up" }
	| { readonly is: "down"; readonly why: string }
	| { readonly is: "stopped" };

export interface LinkParts {
	readonly settings: ConnectionSettings;
	/** Runs first on a new connection, which counts as up once it has ended. @throws to close the connection and try again */
	readonly onUp: (connection: BrokerConnection) => Promise<void>;
	readonly onDown: () => void;
	readonly log: LogPort;
}

export class BrokerLink {
	readonly #parts: LinkParts;
	/** Of all connections: what is refused is refused again after each. */
	readonly #refused: RefusedTopics;
	readonly #abort = new AbortController();
	#connection: BrokerConnection | undefined;
	#state: LinkState = { is: "connecting" };
	#pauseMs = pauseMsMin;
	#timer: NodeJS.Timeout | undefined;
	#lastLogged = "";
	#connections = 0;
	#topicsRefused = 0;

	constructor(parts: LinkParts) {
		this.#parts = parts;
		this.#refused = new RefusedTopics(parts.log);
	}

	start(): void {
		void this.#connect();
	}

	/** @param last publishes the last message before the connection is closed. */
	async stop(
		last: (connection: BrokerConnection) => Promise<unknown>,
	): Promise<void> {
		const connection = this.#connection;
		this.#state = { is: "stopped" };
		clearTimeout(this.#timer);
		if (connection) {
			const lastMessage = last(connection).catch(() => {});
			await Promise.race([
				lastMessage,
				pause(lastMsMax, undefined, { ref: false }),
			]);
			await connection.close();
		}
		this.#abort.abort();
	}

	get state(): LinkState {
		return this.#state;
	}

	/** Undefined while not connected. */
	get connection(): BrokerConnection | undefined {
		return this.#state.is === "up" ? this.#connection : undefined;
	}

	/** Connections that the broker accepted, since the start. */
	get connections(): number {
		return this.#connections;
	}

	/** Messages that were not sent because their topic is invalid. */
	get topicsRefused(): number {
		return this.#topicsRefused;
	}

	#noteNoTopic(fault: string): void {
		if (this.#topicsRefused++ > 0) return;
		this.#parts.log.warn({ fault }, "message not sent: invalid topic");
	}

	async #connect(): Promise<void> {
		const { settings, onUp, log } = this.#parts;
		const { signal } = this.#abort;
		this.#state = { is: "connecting" };
		const lost = await BrokerConnection.open(settings, signal).then(
			async (connection) => {
				connection.onNoTopic = (fault) => this.#noteNoTopic(fault);
				connection.onRefused = (topic, reason) =>
					this.#refused.note(topic, reason);
				const sinceMs = performance.now();
				this.#connection = connection;
				this.#connections++;
				try {
					await onUp(connection);
					if (this.#state.is === "connecting") {
						this.#state = { is: "up" };
						this.#lastLogged = "";
						const { host, port, secure } = settings.broker;
						log.info({ host, port, secure }, "connected to the broker");
					}
				} catch (error) {
					if (!(error instanceof ConnectionLost)) {
						await connection.close();
						return new ConnectionLost((error as Error).message);
					}
				}
				const why = await connection.over;
				if (performance.now() - sinceMs > goodMs) this.#pauseMs = pauseMsMin;
				else this.#pauseMs = Math.min(this.#pauseMs, pauseMsMaxOnceUp);
				return why;
			},
			(error: unknown) =>
				error instanceof ConnectionLost
					? error
					: ConnectionLost.of(error as Error),
		);
		this.#connection = undefined;
		this.#goDown(lost);
	}

	#goDown({ message: why, reasonCode }: ConnectionLost): void {
		this.#parts.onDown();
		if (this.#state.is === "stopped") return;
		this.#state = { is: "down", why };
		const { log, settings } = this.#parts;
		const { host, port } = settings.broker;
		const pauseMs = this.#takePause(reasonCode);
		// a broker that is away for a day must not fill the log
		if (why !== this.#lastLogged)
			log.warn({ host, port, why, pauseMs }, "no connection to the broker");
		this.#lastLogged = why;
		this.#timer = setTimeout(() => void this.#connect(), pauseMs);
	}

	#takePause(reasonCode: number | undefined): number {
		if (reasonCode === takenOver) return pauseMsTakenOver;
		const pauseMs = Math.round(this.#pauseMs * (0.5 + Math.random() / 2));
		this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
		return pauseMs;
	}
}
