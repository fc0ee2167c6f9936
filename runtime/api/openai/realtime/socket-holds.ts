/** One socket that several parties may hold: it is released when the last of them lets go. */
import type { LiveSocket } from "../../live-socket.js";

export class SocketHolds {
	readonly #socket: Pick<LiveSocket, "hold" | "release">;
	readonly #holders = new Set<unknown>();

	constructor(socket: Pick<LiveSocket, "hold" | "release">) {
		this.#socket = socket;
	}

	get isHeld(): boolean {
		return this.#holders.size > 0;
	}

	hold(holder: unknown): void {
		if (this.#holders.size === 0) this.#socket.hold();
		this.#holders.add(holder);
	}

	release(holder: unknown): void {
		if (this.#holders.delete(holder) && this.#holders.size === 0)
			this.#socket.release();
	}
}
