/** One socket that several parties may hold: it is released when the last of them lets go. */
import type { LiveSocket } from "../live-socket.js";

type Held = Pick<LiveSocket, "hold" | "release">;

export class SocketHolds {
	readonly #socket: Held;
	readonly #holders = new Set<unknown>();

	constructor(socket: Held) {
		this.#socket = socket;
	}

	get isHeld(): boolean {
		return this.#holders.size > 0;
	}

	/** The socket as one of them sees it. */
	heldBy(holder: unknown): Held {
		return {
			hold: () => this.hold(holder),
			release: () => this.release(holder),
		};
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
