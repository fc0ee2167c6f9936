/**
 * The memory in which the beginning of a body is kept before the disk is used. One body gets little of it, all bodies together have a limit, and a caller has a
 * share of that. What keeps a body decides where the rest of it goes (kept-body.ts, kept-file.ts).
 */
import { FairShare } from "../limits/fair-share.js";
import type { Owner } from "../owner.js";

/** A minute of 16 kHz PCM. */
const bodyBytesMaxUsual = 2 * 1024 * 1024;

export class BodyMemory {
	readonly #shares: FairShare<Owner>;
	readonly #bodyBytesMax: number;

	/** @param bytesMax for all bodies together. */
	constructor(bytesMax: number, bodyBytesMax = bodyBytesMaxUsual) {
		this.#shares = new FairShare(() => bytesMax);
		this.#bodyBytesMax = bodyBytesMax;
	}

	/** In use. */
	get bytes(): number {
		return this.#shares.taken;
	}

	/** For one body, which must be cleared. @param sharer the caller whose share is used. */
	begin(sharer: Owner): BufferedBody {
		return new BufferedBody(this.#bodyBytesMax, (bytes) =>
			this.#shares.mayTake(sharer, bytes)
				? this.#shares.take(sharer, bytes)
				: undefined,
		);
	}
}

/** What of one body is in memory. */
export class BufferedBody {
	readonly #bytesMax: number;
	/** Undefined where the caller's share is used up. */
	readonly #take: (bytes: number) => (() => void) | undefined;
	#chunks: Uint8Array[] = [];
	/** Each gives back the memory of one chunk. */
	#giveBacks: (() => void)[] = [];
	#bytes = 0;

	constructor(
		bytesMax: number,
		take: (bytes: number) => (() => void) | undefined,
	) {
		this.#bytesMax = bytesMax;
		this.#take = take;
	}

	get chunks(): readonly Uint8Array[] {
		return this.#chunks;
	}

	get bytes(): number {
		return this.#bytes;
	}

	/** @returns false where there is no room for it. */
	add(chunk: Uint8Array): boolean {
		if (this.#bytes + chunk.byteLength > this.#bytesMax) return false;
		const giveBack = this.#take(chunk.byteLength);
		if (!giveBack) return false;
		this.#giveBacks.push(giveBack);
		this.#chunks.push(chunk);
		this.#bytes += chunk.byteLength;
		return true;
	}

	/** Gives the memory back. Idempotent. */
	clear(): void {
		for (const giveBack of this.#giveBacks.splice(0)) giveBack();
		this.#chunks = [];
		this.#bytes = 0;
	}
}
