/**
 * The file of a form whose other fields may come after it: kept until they are known, small files in memory, of which each caller has a share, larger ones on
 * the disk. A file is whole in one of the two, so that it can become the file of a task without being copied.
 */
import { open } from "node:fs/promises";
import type { SeekableBytes } from "../audio/wav-extent.js";
import { FairShare } from "../limits/fair-share.js";
import type { Owner } from "../owner.js";
import type { AudioDraft, AudioShelf } from "../store/audio-shelf.js";
import { filePieces } from "./file-pieces.js";

/** Smaller ones are joined where a file is read from memory: an engine is sent this much at once. */
const pieceBytesMin = 512 * 1024;

export interface SpoolLimits {
	/** In memory, for one file: a minute of 16 kHz PCM. */
	readonly memoryBytesMax: number;
	/** In memory, for all files together. */
	readonly totalMemoryBytesMax: number;
}

const usualLimits: SpoolLimits = {
	memoryBytesMax: 2 * 1024 * 1024,
	totalMemoryBytesMax: 64 * 1024 * 1024,
};

/** Space for such files. */
export class Spool {
	readonly #shelf: Pick<AudioShelf, "begin">;
	readonly #limits: SpoolLimits;
	readonly #memory: FairShare<Owner>;

	constructor(shelf: Pick<AudioShelf, "begin">, limits = usualLimits) {
		this.#shelf = shelf;
		this.#limits = limits;
		this.#memory = new FairShare(() => limits.totalMemoryBytesMax);
	}

	/** Memory in use. */
	get bytes(): number {
		return this.#memory.taken;
	}

	/** The caller must release it. @param sharer the caller whose share of the memory is used. */
	begin(sharer: Owner): SpooledFile {
		return new SpooledFile(this.#shelf, this.#limits.memoryBytesMax, (bytes) =>
			this.#memory.mayTake(sharer, bytes)
				? this.#memory.take(sharer, bytes)
				: undefined,
		);
	}
}

export class SpooledFile implements SeekableBytes {
	readonly #shelf: Pick<AudioShelf, "begin">;
	readonly #memoryBytesMax: number;
	/** Undefined where the caller's share is used up. */
	readonly #takeMemory: (bytes: number) => (() => void) | undefined;
	#chunks: Uint8Array[] = [];
	#memory: (() => void)[] = [];
	#memoryBytes = 0;
	#draft: AudioDraft | undefined;

	constructor(
		shelf: Pick<AudioShelf, "begin">,
		memoryBytesMax: number,
		takeMemory: (bytes: number) => (() => void) | undefined,
	) {
		this.#shelf = shelf;
		this.#memoryBytesMax = memoryBytesMax;
		this.#takeMemory = takeMemory;
	}

	get bytes(): number {
		return this.#memoryBytes + (this.#draft?.bytes ?? 0);
	}

	/** @throws CodedError 100004 where the disk is full */
	async append(chunk: Uint8Array): Promise<void> {
		const fits = this.#memoryBytes + chunk.byteLength <= this.#memoryBytesMax;
		const giveBack =
			this.#draft || !fits ? undefined : this.#takeMemory(chunk.byteLength);
		if (giveBack) {
			this.#memory.push(giveBack);
			this.#chunks.push(chunk);
			this.#memoryBytes += chunk.byteLength;
			return;
		}
		const draft = await this.draft();
		await draft.append(chunk);
	}

	/** The file on the disk, moved there if it is not; it belongs to this object until a task owns it. @throws CodedError 100004 */
	async draft(): Promise<AudioDraft> {
		if (this.#draft) return this.#draft;
		const draft = await this.#shelf.begin(this.#memoryBytes);
		try {
			for (const chunk of this.#chunks) await draft.append(chunk);
		} catch (thrown) {
			await draft.discard();
			throw thrown;
		}
		this.#draft = draft;
		this.#forget();
		return draft;
	}

	/** From its beginning; may be called again. */
	async *pieces(): AsyncGenerator<Uint8Array> {
		const draft = this.#draft;
		if (draft) yield* filePieces(draft.path, 0, draft.bytes);
		else yield* joined(this.#chunks);
	}

	async read(offset: number, length: number): Promise<Uint8Array> {
		if (this.#draft) return readFrom(this.#draft.path, offset, length);
		const found: Uint8Array[] = [];
		let at = 0;
		for (const chunk of this.#chunks) {
			const from = Math.max(0, offset - at);
			const to = Math.min(chunk.byteLength, offset + length - at);
			if (from < to) found.push(chunk.subarray(from, to));
			at += chunk.byteLength;
		}
		return Buffer.concat(found);
	}

	/** Gives back memory and disk; a draft that a task owns stays. Idempotent. */
	async release(): Promise<void> {
		this.#forget();
		await this.#draft?.discard();
	}

	#forget(): void {
		for (const giveBack of this.#memory.splice(0)) giveBack();
		this.#chunks = [];
		this.#memoryBytes = 0;
	}
}

/** A form's parser hands out a file in scraps, and each piece is a message to an engine. */
function* joined(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
	let together: Uint8Array[] = [];
	let bytes = 0;
	for (const chunk of chunks) {
		together.push(chunk);
		bytes += chunk.byteLength;
		if (bytes < pieceBytesMin) continue;
		yield Buffer.concat(together);
		together = [];
		bytes = 0;
	}
	if (bytes > 0) yield Buffer.concat(together);
}

async function readFrom(
	path: string,
	offset: number,
	length: number,
): Promise<Uint8Array> {
	const file = await open(path, "r");
	try {
		const buffer = new Uint8Array(length);
		const { bytesRead } = await file.read(buffer, 0, length, offset);
		return buffer.subarray(0, bytesRead);
	} finally {
		await file.close();
	}
}
