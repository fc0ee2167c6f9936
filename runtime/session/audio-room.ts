/**
 * Memory that keepers of audio share, as the legs of all calls do. Each may keep what it likes while there is room; where there is none, whoever keeps most drops
 * its oldest audio.
 */
export interface AudioKeeper {
	/** Memory of what it keeps (`memoryOf`). */
	readonly keptBytes: number;
	/** Drops its oldest audio, so many bytes or a little more, and counts it. */
	dropOldest(bytes: number): void;
}

/** Of an array besides its bytes: with 20 ms of a telephone it is more than they are. */
const arrayBytes = 256;
/** Dropped at a time: looking for whoever keeps most is then rare. */
const dropBytes = 16 * 1024;

export function memoryOf(bytes: Uint8Array): number {
	return bytes.length + arrayBytes;
}

export class AudioRoom {
	readonly #bytesMax: number;
	/** Those that keep any. */
	readonly #keepers = new Set<AudioKeeper>();
	#bytes = 0;

	/** @param bytesMax of all together. */
	constructor(bytesMax: number) {
		this.#bytesMax = bytesMax;
	}

	/** A keeper keeps so many bytes more, or less where it is negative; it may have to drop some before this returns. */
	note(keeper: AudioKeeper, bytes: number): void {
		this.#bytes += bytes;
		if (keeper.keptBytes > 0) this.#keepers.add(keeper);
		else this.#keepers.delete(keeper);
		if (bytes <= 0) return;
		while (this.#bytes > this.#bytesMax) this.#largest().dropOldest(dropBytes);
	}

	/** There is one while there are bytes. */
	#largest(): AudioKeeper {
		let largest: AudioKeeper | undefined;
		for (const keeper of this.#keepers)
			if (!largest || keeper.keptBytes > largest.keptBytes) largest = keeper;
		return largest as AudioKeeper;
	}
}
