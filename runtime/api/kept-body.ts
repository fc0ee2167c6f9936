/**
 * A body that is kept as it comes, so that nobody has to wait for it with a recognition slot in his hands: there are few of those, and a client on a slow line would
 * hold one for as long as it likes. It asks for a slot when it is whole, or comes so fast that recognition has to hurry to follow it; one that comes to a stand
 * still then gives its slot back, and is read from the beginning once it is whole.
 *
 * The first bytes stay in memory, of which callers have a share each; what is more goes to the disk.
 */
import { FairShare } from "../limits/fair-share.js";
import type { Owner } from "../owner.js";
import type { AudioDraft, AudioShelf } from "../store/audio-shelf.js";
import { filePieces } from "./file-pieces.js";

/** Sooner than this nothing is known about a line: the first bytes may all have come in one packet. */
const judgedBytesMin = 64 * 1024;
/** Eight times as fast as 16 kHz PCM is spoken. */
const fastBytesPerSecond = 256 * 1024;

export interface KeepLimits {
	/** In memory, of one body: a minute of 16 kHz PCM. */
	readonly memoryBytesMax: number;
	/** In memory, of all bodies together. */
	readonly totalMemoryBytesMax: number;
}

const usualLimits: KeepLimits = {
	memoryBytesMax: 2 * 1024 * 1024,
	totalMemoryBytesMax: 128 * 1024 * 1024,
};

/** Room for bodies, in memory and on the disk. */
export class BodyKeep {
	readonly #shelf: Pick<AudioShelf, "begin">;
	readonly #limits: KeepLimits;
	readonly #nowMs: () => number;
	readonly #memory: FairShare<Owner>;

	constructor(
		shelf: Pick<AudioShelf, "begin">,
		limits = usualLimits,
		nowMs = () => performance.now(),
	) {
		this.#shelf = shelf;
		this.#limits = limits;
		this.#nowMs = nowMs;
		this.#memory = new FairShare(() => limits.totalMemoryBytesMax);
	}

	/** Memory that is taken. */
	get bytes(): number {
		return this.#memory.taken;
	}

	/** @param sharer whose share of the memory it takes. */
	keep(source: AsyncIterator<Uint8Array>, sharer: Owner): KeptBody {
		return new KeptBody(source, {
			...this.#limits,
			shelf: this.#shelf,
			nowMs: this.#nowMs,
			takeMemory: (bytes) =>
				this.#memory.mayTake(sharer, bytes)
					? this.#memory.take(sharer, bytes)
					: undefined,
		});
	}
}

interface KeepParts extends KeepLimits {
	readonly shelf: Pick<AudioShelf, "begin">;
	readonly nowMs: () => number;
	/** @returns what gives it back; undefined where this caller gets no more. */
	takeMemory(bytes: number): (() => void) | undefined;
}

export class KeptBody {
	readonly #source: AsyncIterator<Uint8Array>;
	readonly #parts: KeepParts;
	readonly #startedMs: number;
	/** Each gives the memory of a chunk back. */
	readonly #memory: (() => void)[] = [];
	#chunks: Uint8Array[] = [];
	#memoryBytes = 0;
	#draft: AudioDraft | undefined;
	/** On the disk, so far that they can be read. */
	#fileBytes = 0;
	#whole = false;
	#released = false;
	#coming: Promise<boolean> | undefined;

	constructor(source: AsyncIterator<Uint8Array>, parts: KeepParts) {
		this.#source = source;
		this.#parts = parts;
		this.#startedMs = parts.nowMs();
	}

	/** Of what is here. */
	get bytes(): number {
		return this.#memoryBytes + this.#fileBytes;
	}

	/** Nothing more comes. */
	get whole(): boolean {
		return this.#whole;
	}

	/** Resolves when it may ask for a slot. @throws as the body does; CodedError 100004 where the disk has no room */
	async untilWholeOrFast(): Promise<void> {
		while (!this.#isFast && (await this.#more()));
	}

	/** @throws as `untilWholeOrFast` */
	async untilWhole(): Promise<void> {
		while (await this.#more());
	}

	/** From its beginning to its end: what is here, then what comes. May be called again. @throws as `untilWholeOrFast` */
	async *read(): AsyncGenerator<Uint8Array> {
		let chunks = 0;
		let fileBytes = 0;
		for (;;) {
			const chunk = this.#chunks[chunks];
			if (chunk) {
				chunks++;
				yield chunk;
			} else if (this.#draft && fileBytes < this.#fileBytes) {
				const end = this.#fileBytes;
				yield* filePieces(this.#draft.path, fileBytes, end);
				fileBytes = end;
			} else if (!(await this.#more())) return;
		}
	}

	/** Nobody wants it any more: all room is given back. Idempotent. */
	release(): void {
		this.#released = true;
		for (const giveBack of this.#memory.splice(0)) giveBack();
		this.#chunks = [];
		this.#draft?.discard().catch(() => {}); // the next start sweeps it up
		// not waited for: it may be waiting for bytes that nobody wants any more
		this.#source.return?.().catch(() => {});
	}

	get #isFast(): boolean {
		const elapsedMs = this.#parts.nowMs() - this.#startedMs;
		return (
			this.bytes >= judgedBytesMin &&
			this.bytes * 1000 >= fastBytesPerSecond * elapsedMs
		);
	}

	/** Also who came in vain for the last one gets it: it is kept. @returns whether anything came */
	#more(): Promise<boolean> {
		this.#coming ??= this.#take().finally(() => {
			this.#coming = undefined;
		});
		this.#coming.catch(() => {}); // whoever waits is told, if anybody still does
		return this.#coming;
	}

	async #take(): Promise<boolean> {
		if (this.#whole) return false;
		const next = await this.#source.next();
		if (next.done) this.#whole = true;
		else await this.#keep(next.value);
		return !next.done;
	}

	async #keep(chunk: Uint8Array): Promise<void> {
		if (!this.#draft && this.#takeMemory(chunk.byteLength)) {
			this.#chunks.push(chunk);
			this.#memoryBytes += chunk.byteLength;
			return;
		}
		this.#draft ??= await this.#parts.shelf.begin();
		if (this.#released) return this.#draft.discard();
		await this.#draft.append(chunk);
		this.#fileBytes += chunk.byteLength;
	}

	#takeMemory(bytes: number): boolean {
		const { memoryBytesMax, takeMemory } = this.#parts;
		if (this.#released || this.#memoryBytes + bytes > memoryBytesMax)
			return false;
		const giveBack = takeMemory(bytes);
		if (giveBack) this.#memory.push(giveBack);
		return giveBack !== undefined;
	}
}
