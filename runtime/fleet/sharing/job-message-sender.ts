/** Sends messages from device to device: those to one device in order, across as many connections as it takes. */
import type { BrokerConnection } from "../broker/connection.js";
import { ConnectionLost } from "../broker/connection-lost.js";
import type { JobMessage } from "../payloads/jobs.js";
import { jobProtocol } from "../payloads/jobs.js";
import { schemaVersion } from "../payloads/schema-version.js";
import type { Topics } from "../topics.js";

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown
	? Omit<T, K>
	: never;
/** Without the fields that every message has. */
export type OutgoingJobMessage = DistributiveOmit<
	JobMessage,
	"schema" | "protocol" | "from"
>;

export interface JobMessageSenderParts {
	readonly device: string;
	readonly topics: Topics;
	readonly connection: () => BrokerConnection | undefined;
}

const checkMs = 50;
/** Limit of messages without a lease: above it, requests that come faster than the broker accepts replies are not answered. */
const waitingMax = 256;

export class JobMessageSender {
	readonly #parts: JobMessageSenderParts;
	readonly #tails = new Map<string, Promise<void>>();
	/** Messages without a lease. */
	#waiting = 0;

	constructor(parts: JobMessageSenderParts) {
		this.#parts = parts;
	}

	get device(): string {
		return this.#parts.device;
	}

	/** Resolves when the broker has the message, or it is obsolete. Never rejects. @param signal of the lease that the message belongs to */
	send(
		to: string,
		message: OutgoingJobMessage,
		signal?: AbortSignal,
	): Promise<void> {
		if (!signal && this.#waiting >= waitingMax) return Promise.resolve();
		if (!signal) this.#waiting++;
		const before = this.#tails.get(to) ?? Promise.resolve();
		const mine = before.then(() => this.#send(to, message, signal));
		this.#tails.set(to, mine);
		void mine.then(() => {
			if (!signal) this.#waiting--;
			if (this.#tails.get(to) === mine) this.#tails.delete(to);
		});
		return mine;
	}

	/** The message as it is sent. */
	written(message: OutgoingJobMessage): string {
		return JSON.stringify({
			schema: schemaVersion,
			protocol: jobProtocol,
			from: this.#parts.device,
			...message,
		});
	}

	async #send(
		to: string,
		message: OutgoingJobMessage,
		signal: AbortSignal | undefined,
	): Promise<void> {
		const topic = this.#parts.topics.inboxOf(to);
		const payload = this.written(message);
		while (!signal?.aborted) {
			const connection = this.#parts.connection();
			if (connection)
				try {
					await connection.publish({ topic, payload, qos: 1 });
					return; // refused or too large: the lease runs out
				} catch (error) {
					if (!(error instanceof ConnectionLost)) throw error;
				}
			if (!signal) return; // without a lease it is not retried
			await new Promise((wait) => setTimeout(wait, checkMs));
		}
	}
}
