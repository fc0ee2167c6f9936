/** Memory for frames that are not whole yet: each is limited by itself, all connections together here, in fair shares of the networks they come from. */
import { FairShare } from "../../limits/fair-share.js";
import { networkOf } from "../network-of.js";

/** Less is not counted: a read from a socket is as long. */
const freeBytes = 64 * 1024;

export class HeldMemory {
	readonly #shares: FairShare<string>;
	readonly #held = new Map<object, { bytes: number; giveBack: () => void }>();

	constructor(bytesMax: number) {
		this.#shares = new FairShare(() => bytesMax);
	}

	/** Says how much a connection holds now. @returns false where that is too much: what it held before stays counted. */
	settle(connection: object, address: string, bytes: number): boolean {
		const before = this.#held.get(connection);
		if (bytes <= freeBytes) {
			before?.giveBack();
			this.#held.delete(connection);
			return true;
		}
		const network = networkOf(address);
		if (before && bytes <= before.bytes) return true;
		// counted in steps: a frame may come a byte at a time
		const wanted = Math.max(bytes, 2 * (before?.bytes ?? freeBytes));
		before?.giveBack();
		if (!this.#shares.mayTake(network, wanted)) {
			this.#held.delete(connection);
			return false;
		}
		const giveBack = this.#shares.take(network, wanted);
		this.#held.set(connection, { bytes: wanted, giveBack });
		return true;
	}
}
