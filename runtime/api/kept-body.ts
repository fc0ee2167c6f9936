/**
 * A body that is buffered as it arrives, so that a slow line does not occupy one of the few recognition slots. A slot is requested once the body is complete,
 * or arrives so fast that recognition has to hurry to follow it; if it then stalls, the slot is given back and the body is read from the beginning once it is
 * complete.
 *
 * It is read while it still arrives: the first bytes stay in memory, the rest goes to the disk. (The file of a form is read once it is known: kept-file.ts.)
 */
import type { Owner } from "../owner.js";
import type { AudioDraft, AudioShelf } from "../store/audio-shelf.js";
import { BodyMemory, type BufferedBody } from "./body-memory.js";
import { filePieces } from "./file-pieces.js";

/** The pace is not judged below this: the first bytes may all have come in one packet. */
const judgedBytesMin = 64 * 1024;
/** Eight times the byte rate of 16 kHz PCM. */
const fastBytesPerSecond = 256 * 1024;

/** For all bodies together. */
const memoryBytesMax = 128 * 1024 * 1024;

/** Space for bodies, in memory and on the disk. */
export class BodyKeep {
	readonly #shelf: Pick<AudioShelf, "begin">;
	readonly #memory: BodyMemory;
	readonly #nowMs: () => number;

	constructor(
		shelf: Pick<AudioShelf, "begin">,
		memory = new BodyMemory(memoryBytesMax),
		nowMs = () => performance.now(),
	) {
		this.#shelf = shelf;
		this.#memory = memory;
		this.#nowMs = nowMs;
	}

	/** The caller must release it. @param sharer the caller whose share of the memory is used. */
	keep(source: AsyncIterator<Uint8Array>, sharer: Owner): KeptBody {
		return new KeptBody(source, {
			shelf: this.#shelf,
			buffer: this.#memory.begin(sharer),
			nowMs: this.#nowMs,
		});
	}
}

interface KeepParts {
	readonly shelf: Pick<AudioShelf, "begin">;
	readonly buffer: BufferedBody;
	readonly nowMs: () => number;
}

export class KeptBody {
	readonly #source: AsyncIterator<Uint8Array>;
	readonly #parts: KeepParts;
	readonly #startedMs: number;
	#draft: AudioDraft | undefined;
	/** Bytes on the disk that can be read. */
	#fileBytes = 0;
	#whole = false;
	#released = false;
	#coming: Promise<boolean> | undefined;

	constructor(source: AsyncIterator<Uint8Array>, parts: KeepParts) {
		this.#source = source;
		this.#parts = parts;
		this.#startedMs = parts.nowMs();
	}

	/** Bytes received so far. */
	get bytes(): number {
		return this.#parts.buffer.bytes + this.#fileBytes;
	}

	/** The body is complete. */
	get whole(): boolean {
		return this.#whole;
	}

	/** Resolves when a slot may be requested. @throws as the body does; CodedError 100004 where the disk is full */
	async untilWholeOrFast(): Promise<void> {
		while (!this.#isFast && (await this.#more()));
	}

	/** @throws as `untilWholeOrFast` */
	async untilWhole(): Promise<void> {
		while (await this.#more());
	}

	/** Reads from the beginning to the end: first what is buffered, then what arrives. May be called again. @throws as `untilWholeOrFast` */
	async *read(): AsyncGenerator<Uint8Array> {
		const { buffer } = this.#parts;
		let chunks = 0;
		let fileBytes = 0;
		for (;;) {
			const chunk = buffer.chunks[chunks];
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

	/** The body is no longer needed: gives back memory and disk space. Idempotent. */
	release(): void {
		this.#released = true;
		this.#parts.buffer.clear();
		this.#draft?.discard().catch(() => {}); // the next start removes it
		// not awaited: it may be waiting for bytes that are no longer needed
		this.#source.return?.().catch(() => {});
	}

	get #isFast(): boolean {
		const elapsedMs = this.#parts.nowMs() - this.#startedMs;
		return (
			this.bytes >= judgedBytesMin &&
			this.bytes * 1000 >= fastBytesPerSecond * elapsedMs
		);
	}

	/** Concurrent readers share one read of the source; its chunk is kept for all of them. @returns whether a chunk came */
	#more(): Promise<boolean> {
		this.#coming ??= this.#take().finally(() => {
			this.#coming = undefined;
		});
		this.#coming.catch(() => {}); // callers that still wait get the rejection
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
		const { buffer, shelf } = this.#parts;
		if (!this.#draft && !this.#released && buffer.add(chunk)) return;
		this.#draft ??= await shelf.begin();
		if (this.#released) return this.#draft.discard();
		await this.#draft.append(chunk);
		this.#fileBytes += chunk.byteLength;
	}
}
