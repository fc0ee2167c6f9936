/**
 * The broker is connected to for as long as the appliance runs: after each end again, with pauses that grow while it comes to nothing, and differ from device
 * to device, so that a site does not come back in one moment.
 */
import type { EngineLog } from "../../engine/log-port.js";
import { BrokerConnection, type ConnectionSettings } from "./connection.js";
import { ConnectionLost } from "./connection-lost.js";
import { takenOver } from "./reasons.js";

const pauseMsMin = 200;
const pauseMsMax = 30_000;
/** After a connection that the broker took: it is there, and may have been started again. */
const pauseMsMaxOnceUp = 2000;
/** Two devices of one name throw each other out: neither should do so often. */
const pauseMsTakenOver = 30_000;
/** A connection that lasted so long was a good one. */
const goodMs = 5000;

export type LinkState =
	| { readonly is: "connecting" }
	| { readonly is: "up" }
	| { readonly is: "down"; readonly why: string }
	| { readonly is: "stopped" };

export interface LinkParts {
	readonly settings: ConnectionSettings;
	/** What is done first on a new connection; it counts as up when this has ended. @throws to have it closed and tried again */
	readonly onUp: (connection: BrokerConnection) => Promise<void>;
	readonly onDown: () => void;
	readonly log: EngineLog;
}

export class BrokerLink {
	readonly #parts: LinkParts;
	readonly #abort = new AbortController();
	#connection: BrokerConnection | undefined;
	#state: LinkState = { is: "connecting" };
	#pauseMs = pauseMsMin;
	#timer: NodeJS.Timeout | undefined;
	#told = "";
	#connections = 0;
	#topicsRefused = 0;

	constructor(parts: LinkParts) {
		this.#parts = parts;
	}

	start(): void {
		void this.#connect();
	}

	/** @param last said before the connection is closed. */
	async stop(
		last: (connection: BrokerConnection) => Promise<unknown>,
	): Promise<void> {
		const connection = this.#connection;
		this.#state = { is: "stopped" };
		clearTimeout(this.#timer);
		if (connection) {
			await last(connection).catch(() => {});
			await connection.close();
		}
		this.#abort.abort();
	}

	get state(): LinkState {
		return this.#state;
	}

	/** Undefined while there is none. */
	get connection(): BrokerConnection | undefined {
		return this.#state.is === "up" ? this.#connection : undefined;
	}

	/** Connections that the broker took, since the start. */
	get connections(): number {
		return this.#connections;
	}

	/** Messages that were not sent, for what they were to be sent to is no topic. */
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
				const over = new Promise<ConnectionLost>((resolve) => {
					connection.onLost = resolve;
				});
				connection.onNoTopic = (fault) => this.#noteNoTopic(fault);
				const sinceMs = performance.now();
				this.#connection = connection;
				this.#connections++;
				try {
					await onUp(connection);
					if (this.#state.is === "connecting") {
						this.#state = { is: "up" };
						this.#told = "";
						const { host, port, secure } = settings.broker;
						log.info({ host, port, secure }, "connected to the broker");
					}
				} catch (error) {
					if (!(error instanceof ConnectionLost)) {
						await connection.close();
						return new ConnectionLost((error as Error).message);
					}
				}
				const why = await over;
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
		// a broker that is away for a day is no line a minute
		if (why !== this.#told)
			log.warn({ host, port, why, pauseMs }, "no connection to the broker");
		this.#told = why;
		this.#timer = setTimeout(() => void this.#connect(), pauseMs);
	}

	#takePause(reasonCode: number | undefined): number {
		if (reasonCode === takenOver) return pauseMsTakenOver;
		const pauseMs = Math.round(this.#pauseMs * (0.5 + Math.random() / 2));
		this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
		return pauseMs;
	}
}
