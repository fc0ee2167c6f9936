/**
 * Joins small frames that come in one turn of the event loop: a frame may hold a single byte, and each one that went to the engine by itself would cost as
 * much as a big one. Nothing waits longer than that turn.
 */

/** Larger frames gain nothing. */
const smallBytesMax = 4096;
const gatheredBytesMax = 16_384;

export class FrameGatherer {
	readonly #onBytes: (bytes: Uint8Array) => void;
	#gathered: Uint8Array | undefined;
	#length = 0;
	#turn: NodeJS.Immediate | undefined;

	/** @param onBytes gets bytes that are only valid during the call. */
	constructor(onBytes: (bytes: Uint8Array) => void) {
		this.#onBytes = onBytes;
	}

	/** @param frame copied where kept. */
	accept(frame: Uint8Array): void {
		if (this.#length + frame.length > gatheredBytesMax) this.flush();
		if (frame.length > smallBytesMax) {
			this.flush();
			this.#onBytes(frame);
			return;
		}
		this.#gathered ??= new Uint8Array(gatheredBytesMax);
		this.#gathered.set(frame, this.#length);
		this.#length += frame.length;
		this.#turn ??= setImmediate(() => this.flush());
	}

	/** What was gathered goes on now. */
	flush(): void {
		if (this.#turn) clearImmediate(this.#turn);
		this.#turn = undefined;
		const length = this.#length;
		if (length === 0) return;
		this.#length = 0;
		const gathered = this.#gathered as Uint8Array;
		this.#gathered = undefined; // an idle session keeps none
		this.#onBytes(gathered.subarray(0, length));
	}

	/** Nobody wants them any more. */
	drop(): void {
		this.#length = 0;
		this.flush();
		this.#gathered = undefined;
	}
}
