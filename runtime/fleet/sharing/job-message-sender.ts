/** Messages from device to device: to one in the order in which they are said, over as many connections as it takes. */
import type { BrokerConnection } from "../broker/connection.js";
import { ConnectionLost } from "../broker/connection-lost.js";
import type { JobMessage } from "../payloads/jobs.js";
import { jobProtocol } from "../payloads/jobs.js";
import { schemaVersion } from "../payloads/schema-version.js";
import type { Topics } from "../topics.js";

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown
	? Omit<T, K>
	: never;
/** Without what every message says. */
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
/** Of messages that are not worth waiting for: what is asked faster than a broker takes answers gets none. */
const waitingMax = 256;

export class JobMessageSender {
	readonly #parts: JobMessageSenderParts;
	readonly #tails = new Map<string, Promise<void>>();
	/** Messages of no lease. */
	#waiting = 0;

	constructor(parts: JobMessageSenderParts) {
		this.#parts = parts;
	}

	get device(): string {
		return this.#parts.device;
	}

	/** Resolves when the broker has it, or nobody wants it any more. Never rejects. @param signal of the lease that it is about */
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

	/** What a message is on the wire. */
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
			if (!signal) return; // not worth waiting for
			await new Promise((wait) => setTimeout(wait, checkMs));
		}
	}
}
