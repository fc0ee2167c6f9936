/** Sends the replies to commands over the connection of the moment: a command may take minutes, and the connection that it came over may be gone by then. */
import type { LogPort } from "../../log/log-port.js";
import type { BrokerConnection } from "../broker/connection.js";
import { ConnectionLost } from "../broker/connection-lost.js";
import type { OutgoingMessage } from "../broker/messages.js";

/** Replies that wait for a connection; beyond that the oldest are dropped: their senders repeat what they got no answer to. */
const waitingMax = 20;

export class ReplySender {
	readonly #log: LogPort;
	#connection: BrokerConnection | undefined;
	readonly #waiting: OutgoingMessage[] = [];

	constructor(log: LogPort) {
		this.#log = log;
	}

	/** Sends over this connection from now on; undefined: there is none. */
	use(connection: BrokerConnection | undefined): void {
		this.#connection = connection;
		if (!connection) return;
		for (const reply of this.#waiting.splice(0)) this.send(reply);
	}

	/** Never throws. */
	send(reply: OutgoingMessage): void {
		const connection = this.#connection;
		if (!connection) {
			this.#wait(reply);
			return;
		}
		connection.publish(reply).catch((error: unknown) => {
			if (!(error instanceof ConnectionLost))
				this.#log.error(
					{ err: error },
					"failed to send the reply to a command",
				);
			// it may have arrived: twice is better than not at all
			else if (this.#connection === connection) this.#wait(reply);
			else this.send(reply);
		});
	}

	#wait(reply: OutgoingMessage): void {
		this.#waiting.push(reply);
		if (this.#waiting.length <= waitingMax) return;
		this.#waiting.shift();
		this.#log.warn({}, "the reply to a command is dropped: no connection");
	}
}
