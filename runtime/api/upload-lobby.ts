/**
 * Where an upload waits until it is worth a recognition slot. There are few slots, and a client on a slow line would hold one for minutes in which it
 * brings nothing to recognise: a body is gathered here until it is whole, or comes so fast that recognition has to hurry to follow it, or fills its place.
 */

/** Sooner than this nothing is known about a line: the first bytes may all have come in one packet. */
const judgedBytesMin = 64 * 1024;
/** Eight times as fast as 16 kHz PCM is spoken. */
const fastBytesPerSecond = 256 * 1024;

export interface LobbyLimits {
	/** Of one body: a minute of 16 kHz PCM. */
	readonly bytesMax: number;
	/** Of all bodies together; past it nobody waits here any more. */
	readonly totalBytesMax: number;
}

const usualLimits: LobbyLimits = {
	bytesMax: 2 * 1024 * 1024,
	totalBytesMax: 128 * 1024 * 1024,
};

export interface Gathered {
	readonly chunks: readonly Uint8Array[];
	/** Nothing follows them. */
	readonly whole: boolean;
	/** Gives the place back; idempotent. */
	release(): void;
}

export class UploadLobby {
	readonly #limits: LobbyLimits;
	readonly #nowMs: () => number;
	#bytes = 0;

	constructor(limits = usualLimits, nowMs = () => performance.now()) {
		this.#limits = limits;
		this.#nowMs = nowMs;
	}

	/** What is kept for all bodies that wait. */
	get bytes(): number {
		return this.#bytes;
	}

	/** The beginning of a body, when it may ask for a slot. Rejects as the body does. */
	async gather(body: AsyncIterator<Uint8Array>): Promise<Gathered> {
		const startedMs = this.#nowMs();
		const chunks: Uint8Array[] = [];
		let bytes = 0;
		const release = () => {
			this.#bytes -= bytes;
			bytes = 0;
		};
		try {
			for (;;) {
				const next = await body.next();
				if (next.done) return { chunks, whole: true, release };
				chunks.push(next.value);
				bytes += next.value.byteLength;
				this.#bytes += next.value.byteLength;
				if (this.#mayGoOn(bytes, this.#nowMs() - startedMs))
					return { chunks, whole: false, release };
			}
		} catch (thrown) {
			release();
			throw thrown;
		}
	}

	#mayGoOn(bytes: number, elapsedMs: number): boolean {
		const { bytesMax, totalBytesMax } = this.#limits;
		if (bytes >= bytesMax || this.#bytes >= totalBytesMax) return true;
		return (
			bytes >= judgedBytesMin && bytes * 1000 >= fastBytesPerSecond * elapsedMs
		);
	}
}
