/** A file of weights, read by position. Ranges are checked against the file's size before anything is allocated. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { badSource, type SourceError } from "./weights.js";

export class FileBytes {
	readonly #file: number;
	readonly size: number;

	private constructor(
		readonly path: string,
		file: number,
	) {
		this.#file = file;
		this.size = fstatSync(file).size;
	}

	/** @throws SourceError when it can't be opened. */
	static open(path: string): FileBytes {
		try {
			return new FileBytes(path, openSync(path, "r"));
		} catch (error) {
			throw badSource(`${path} can't be read: ${(error as Error).message}`);
		}
	}

	/** The bytes are at the start of their buffer, so that views of any width are aligned. @throws SourceError past the end. */
	read(offset: number, bytes: number): Buffer {
		this.checkRange(offset, bytes);
		const buffer = Buffer.from(new ArrayBuffer(bytes));
		let done = 0;
		while (done < bytes) {
			const count = readSync(
				this.#file,
				buffer,
				done,
				Math.min(bytes - done, 1 << 30),
				offset + done,
			);
			if (count === 0) throw this.#truncated();
			done += count;
		}
		return buffer;
	}

	checkRange(offset: number, bytes: number): void {
		if (offset < 0 || bytes < 0 || offset + bytes > this.size)
			throw this.#truncated();
	}

	close(): void {
		closeSync(this.#file);
	}

	#truncated(): SourceError {
		return badSource(
			`${this.path} ends too early (${this.size} bytes): the download is incomplete, fetch it again`,
		);
	}
}
