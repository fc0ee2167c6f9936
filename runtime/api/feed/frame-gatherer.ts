/**
 * Joins small frames that arrive in one turn of the event loop: a frame may hold a single byte, and sending each one to the engine separately would cost as
 * much as a large one. Nothing waits longer than that turn.
 */

/** Joining larger frames gains nothing. */
const smallBytesMax = 4096;
const gatheredBytesMax = 16_384;

export class FrameGatherer {
	readonly #onBytes: (bytes: Uint8Array) => void;
	#gathered: Uint8Array | undefined;
	#length = 0;
	#turn: NodeJS.Immediate | undefined;

	/** @param onBytes its bytes are only valid during the call. */
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

	/** Passes on what was gathered. */
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

	/** Discards what was gathered. */
	drop(): void {
		this.#length = 0;
		this.flush();
		this.#gathered = undefined;
	}
}
