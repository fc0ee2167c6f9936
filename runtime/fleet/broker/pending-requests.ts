/** What was sent to the broker and waits for its answer. Each request ends: with that answer, or with ConnectionLost where none can come any more. */
import type { ConnectionLost } from "./connection-lost.js";

export class PendingRequests {
	readonly #waiting = new Set<(reason: ConnectionLost) => void>();
	#lost: ConnectionLost | undefined;

	/** Why no answer can come any more; undefined while they can. */
	get lost(): ConnectionLost | undefined {
		return this.#lost;
	}

	/** @param send not called once the connection is lost. @returns the broker's answer. @throws ConnectionLost */
	answered<T>(
		send: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
	): Promise<T> {
		if (this.#lost) return Promise.reject(this.#lost);
		let onLost: (reason: ConnectionLost) => void = () => {};
		return new Promise<T>((resolve, reject) => {
			onLost = reject;
			this.#waiting.add(onLost);
			send(resolve, reject);
		}).finally(() => this.#waiting.delete(onLost));
	}

	/** The connection has ended. */
	fail(reason: ConnectionLost): void {
		this.#lost = reason;
		for (const fail of this.#waiting) fail(reason);
	}
}
