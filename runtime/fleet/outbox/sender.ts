/**
 * Sends the outbox to the broker: one message of each stream at a time, several streams in parallel, over the current connection.
 *
 * A message that crashes a broker must not hold up all others: after a connection breaks with messages in flight, they are sent one at a time, and a message
 * that was alone when the connection broke is blamed. A message that is blamed or refused too often becomes a dead letter.
 */
import type { LogPort } from "../../log/log-port.js";
import type { FleetMessageRow } from "../../store/fleet-outbox.js";
import type { BrokerConnection } from "../broker/connection.js";
import { ConnectionLost } from "../broker/connection-lost.js";
import type { Published } from "../broker/messages.js";
import type { FleetOutbox } from "./outbox.js";
import type { PendingSend } from "./pending-sends.js";

/** The text of a message; `brief` is sent where the broker does not accept all of it, and at the last try. */
export interface RenderedMessage {
	readonly text: string;
	readonly brief?: string;
}

export interface FleetOutboxSenderParts {
	readonly outbox: FleetOutbox;
	/** @returns undefined where the message is obsolete. */
	readonly render: (row: FleetMessageRow) => RenderedMessage | undefined;
	readonly inFlightMax: number;
	readonly log: LogPort;
}

/** Part of the broker's receive maximum reserved for status, replies and jobs. */
const othersInFlight = 4;
const brokenMs = 5000;

export class FleetOutboxSender {
	readonly #parts: FleetOutboxSenderParts;
	#connection: BrokerConnection | undefined;
	readonly #inFlight = new Set<Promise<void>>();
	/** Sends one at a time, until one is acknowledged. */
	#careful = false;
	#timer: NodeJS.Timeout | undefined;

	constructor(parts: FleetOutboxSenderParts) {
		this.#parts = parts;
		parts.outbox.onReady = () => this.#pump();
	}

	/** Sends over this connection from now on; undefined: stops sending. */
	use(connection: BrokerConnection | undefined): void {
		this.#connection = connection;
		this.#pump();
	}

	/** Resolves when all messages in flight have been answered or have failed; nothing more is sent. */
	async stop(): Promise<void> {
		this.#connection = undefined;
		clearTimeout(this.#timer);
		await Promise.all(this.#inFlight);
	}

	#pump(): void {
		clearTimeout(this.#timer);
		const connection = this.#connection;
		if (!connection) return;
		const { outbox } = this.#parts;
		const nowMs = performance.now();
		for (const waiting of outbox.ready(nowMs)) {
			if (this.#inFlight.size >= this.#atOnce(connection)) return; // the next answer continues
			waiting.isInFlight = true;
			const sending = this.#send(connection, waiting).then(() => {
				waiting.isInFlight = false;
				this.#inFlight.delete(sending);
				this.#pump();
			});
			this.#inFlight.add(sending);
		}
		const next = outbox.nextMs(nowMs);
		if (next !== undefined)
			this.#timer = setTimeout(() => this.#pump(), next - nowMs + 1);
	}

	#atOnce({ receiveMax }: BrokerConnection): number {
		if (this.#careful) return 1;
		const room = Math.max(1, receiveMax - othersInFlight);
		return Math.min(this.#parts.inFlightMax, room);
	}

	async #send(
		connection: BrokerConnection,
		waiting: PendingSend,
	): Promise<void> {
		try {
			await this.#sendRow(connection, waiting);
		} catch (error) {
			// an error of the store: retried
			this.#parts.log.error(
				{ err: error },
				"failed to send a message of the outbox, retrying",
			);
			const notBeforeMs = performance.now() + brokenMs;
			waiting.notBeforeMs = Math.max(waiting.notBeforeMs, notBeforeMs);
		}
	}

	async #sendRow(
		connection: BrokerConnection,
		waiting: PendingSend,
	): Promise<void> {
		const { outbox } = this.#parts;
		const row = outbox.read(waiting);
		const rendered = row && this.#parts.render(row);
		if (!rendered) return outbox.done(waiting, false);
		const wasAlone = this.#careful;
		let published: Published;
		try {
			published = await this.#publish(connection, row, rendered);
		} catch (error) {
			if (!(error instanceof ConnectionLost)) throw error;
			return this.#onLost(connection, waiting, wasAlone, error);
		}
		switch (published.is) {
			case "accepted":
				this.#careful = false;
				return outbox.done(waiting);
			case "too-large":
				return outbox.bury(
					waiting,
					`the broker accepts packets of at most ${published.bytesMax} bytes`,
				);
			case "no-topic":
				return outbox.bury(waiting, `invalid topic: ${published.fault}`);
			case "refused":
				return outbox.failed(
					waiting,
					`refused by the broker: ${published.reason}`,
				);
		}
	}

	/** @throws ConnectionLost */
	async #publish(
		connection: BrokerConnection,
		row: FleetMessageRow,
		{ text, brief }: RenderedMessage,
	): Promise<Published> {
		const { topic } = row;
		// some brokers end the connection instead of refusing what is too long for them, and a slow line may not last as long as it takes
		const isShortened =
			brief !== undefined && this.#parts.outbox.isLastTry(row);
		const published = await connection.publish({
			topic,
			payload: isShortened ? brief : text,
			qos: 1,
		});
		if (published.is !== "accepted" && brief !== undefined && !isShortened)
			return connection.publish({ topic, payload: brief, qos: 1 });
		return published;
	}

	/** The message stays in the outbox; if it was alone, it may have been the cause. */
	async #onLost(
		connection: BrokerConnection,
		waiting: PendingSend,
		wasAlone: boolean,
		{ message: why }: ConnectionLost,
	): Promise<void> {
		this.#careful = true;
		if (this.#connection === connection) this.#connection = undefined;
		if (wasAlone)
			await this.#parts.outbox.failed(
				waiting,
				`the connection broke while it was sent (${why})`,
			);
	}
}
