/**
 * The entries of a tar archive that comes as a stream. Its format is node-tar's work (the only file that touches it); of a stream no more is read than is
 * asked for, and nothing is kept of what comes behind the archive's end.
 */
import { Parser, type ReadEntry } from "tar";
import { type ArchiveEntry, ArchiveFault } from "./archive-entry.js";

const kinds: Readonly<Record<string, ArchiveEntry["kind"]>> = {
	File: "file",
	OldFile: "file",
	ContiguousFile: "file",
	Directory: "folder",
	GNUDumpDir: "folder",
};
const words: Readonly<Record<string, string>> = {
	SymbolicLink: "a symbolic link",
	Link: "a hard link",
	CharacterDevice: "a device",
	BlockDevice: "a device",
	FIFO: "a pipe",
};
/** Of a first header: where "ustar" stands (POSIX.1-1988; every tar of this century writes it). */
const magicAt = 257;
const magic = "ustar";

export async function* tarEntries(
	bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ArchiveEntry[]> {
	const reader = new TarReader(bytes);
	try {
		for (;;) {
			const entry = await reader.next();
			if (!entry) return;
			yield [
				{
					name: entry.path,
					kind: kinds[entry.type] ?? "other",
					what: words[entry.type] ?? `an entry of type ${entry.type}`,
					bytes: entry.size,
					read: () => reader.bodyOf(entry),
				},
			];
			await reader.pass(entry);
		}
	} finally {
		await reader.close();
	}
}

class TarReader {
	readonly #chunks: AsyncIterator<Uint8Array>;
	readonly #parser = new Parser({ strict: true });
	/** Begun, and not given away. */
	readonly #found: ReadEntry[] = [];
	#fault: Error | undefined;
	#begun = false;
	#atEnd = false;

	constructor(bytes: AsyncIterable<Uint8Array>) {
		this.#chunks = bytes[Symbol.asyncIterator]();
		this.#parser.on("entry", (entry) => this.#found.push(entry));
		this.#parser.on("eof", () => {
			this.#atEnd = true;
		});
		this.#parser.on("error", (error) => {
			const why = error.message.replace(/^TAR_\w+: /, "");
			this.#fault ??= new ArchiveFault(`it is damaged: ${why}`);
		});
		// of a type that it does not know, or with a name of megabytes
		this.#parser.on("ignoredEntry", ({ type }) => {
			this.#fault ??= new ArchiveFault(
				`there is an entry of type ${type} in it, which is none of files and folders`,
			);
		});
	}

	async next(): Promise<ReadEntry | undefined> {
		for (;;) {
			const entry = this.#found.shift();
			if (entry) return entry;
			if (!(await this.#readOn())) return undefined;
		}
	}

	async *bodyOf(entry: ReadEntry): AsyncGenerator<Uint8Array> {
		for (;;) {
			const piece = entry.read();
			if (piece) yield piece;
			else if (entry.emittedEnd) return;
			else await this.#readOn();
		}
	}

	/** What of it was not read is left out. */
	async pass(entry: ReadEntry): Promise<void> {
		entry.resume();
		while (!entry.emittedEnd) await this.#readOn();
	}

	async close(): Promise<void> {
		await this.#chunks.return?.();
	}

	/** @returns whether more may come. @throws ArchiveFault where what came is no tar. */
	async #readOn(): Promise<boolean> {
		const { done, value } = await this.#chunks.next();
		if (done) this.#parser.end();
		// it would gather what follows its end
		else if (!this.#atEnd) this.#parser.write(this.#checked(value));
		if (this.#fault) throw this.#fault;
		return !done;
	}

	/** It would look into whatever a first chunk seems to be, archives in archives among it. */
	#checked(chunk: Uint8Array): Buffer {
		const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
		if (
			!this.#begun &&
			bytes.toString("latin1", magicAt, magicAt + magic.length) !== magic
		)
			throw new ArchiveFault("what is compressed in it is no tar");
		this.#begun = true;
		return bytes;
	}
}
