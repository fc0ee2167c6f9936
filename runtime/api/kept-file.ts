/**
 * The file of a form whose other fields may come after it: kept until they are known. Small files stay in memory, larger ones go to the disk: a file is whole in
 * one of the two, so that it can become the file of a task without being copied. (A body that is read while it arrives: kept-body.ts.)
 */
import { open } from "node:fs/promises";
import type { SeekableBytes } from "../audio/wav-extent.js";
import type { Owner } from "../owner.js";
import type { AudioDraft, AudioShelf } from "../store/audio-shelf.js";
import { BodyMemory, type BufferedBody } from "./body-memory.js";
import { filePieces } from "./file-pieces.js";

/** Smaller ones are joined where a file is read from memory: an engine is sent this much at once. */
const pieceBytesMin = 512 * 1024;

/** For all files together. */
const memoryBytesMax = 64 * 1024 * 1024;

/** Space for such files, in memory and on the disk. */
export class FileKeep {
	readonly #shelf: Pick<AudioShelf, "begin">;
	readonly #memory: BodyMemory;

	constructor(
		shelf: Pick<AudioShelf, "begin">,
		memory = new BodyMemory(memoryBytesMax),
	) {
		this.#shelf = shelf;
		this.#memory = memory;
	}

	/** The caller must release it. @param sharer the caller whose share of the memory is used. */
	begin(sharer: Owner): KeptFile {
		return new KeptFile(this.#shelf, this.#memory.begin(sharer));
	}
}

export class KeptFile implements SeekableBytes {
	readonly #shelf: Pick<AudioShelf, "begin">;
	readonly #buffer: BufferedBody;
	#draft: AudioDraft | undefined;

	constructor(shelf: Pick<AudioShelf, "begin">, buffer: BufferedBody) {
		this.#shelf = shelf;
		this.#buffer = buffer;
	}

	get bytes(): number {
		return this.#buffer.bytes + (this.#draft?.bytes ?? 0);
	}

	/** @throws CodedError 100004 where the disk is full */
	async append(chunk: Uint8Array): Promise<void> {
		if (!this.#draft && this.#buffer.add(chunk)) return;
		const draft = await this.draft();
		await draft.append(chunk);
	}

	/** The file on the disk, moved there if it is not; it belongs to this object until a task owns it. @throws CodedError 100004 */
	async draft(): Promise<AudioDraft> {
		if (this.#draft) return this.#draft;
		const draft = await this.#shelf.begin(this.#buffer.bytes);
		try {
			for (const chunk of this.#buffer.chunks) await draft.append(chunk);
		} catch (thrown) {
			await draft.discard();
			throw thrown;
		}
		this.#draft = draft;
		this.#buffer.clear();
		return draft;
	}

	/** From its beginning; may be called again. */
	async *pieces(): AsyncGenerator<Uint8Array> {
		const draft = this.#draft;
		if (draft) yield* filePieces(draft.path, 0, draft.bytes);
		else yield* joined(this.#buffer.chunks);
	}

	async read(offset: number, length: number): Promise<Uint8Array> {
		if (this.#draft) return readFrom(this.#draft.path, offset, length);
		const found: Uint8Array[] = [];
		let at = 0;
		for (const chunk of this.#buffer.chunks) {
			const from = Math.max(0, offset - at);
			const to = Math.min(chunk.byteLength, offset + length - at);
			if (from < to) found.push(chunk.subarray(from, to));
			at += chunk.byteLength;
		}
		return Buffer.concat(found);
	}

	/** Gives back memory and disk; a draft that a task owns stays. Idempotent. */
	async release(): Promise<void> {
		this.#buffer.clear();
		await this.#draft?.discard();
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
