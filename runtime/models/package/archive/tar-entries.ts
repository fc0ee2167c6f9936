/**
 * The entries of a tar archive that arrives as a stream. node-tar parses the format (this is the only file that uses it). The stream is read only as far as
 * the consumer requests, and bytes after the archive's end are discarded.
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
/** Offset of "ustar" in the first header (POSIX.1-1988; every current tar writes it). */
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
			await reader.skip(entry);
		}
	} finally {
		await reader.close();
	}
}

class TarReader {
	readonly #chunks: AsyncIterator<Uint8Array>;
	readonly #parser = new Parser({ strict: true });
	/** Entries whose header was parsed and that were not returned yet. */
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
		// an entry of a type that node-tar does not know, or with an oversized name
		this.#parser.on("ignoredEntry", ({ type }) => {
			this.#fault ??= new ArchiveFault(
				`it has an entry of type ${type}, which is neither a file nor a folder`,
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

	/** Discards what was not read of the entry. */
	async skip(entry: ReadEntry): Promise<void> {
		entry.resume();
		while (!entry.emittedEnd) await this.#readOn();
	}

	async close(): Promise<void> {
		await this.#chunks.return?.();
	}

	/** @returns whether more may follow. @throws ArchiveFault where the stream is not a tar. */
	async #readOn(): Promise<boolean> {
		const { done, value } = await this.#chunks.next();
		if (done) this.#parser.end();
		// the parser would buffer what follows the archive's end
		else if (!this.#atEnd) this.#parser.write(this.#checked(value));
		if (this.#fault) throw this.#fault;
		return !done;
	}

	/** The parser would detect other formats in the first chunk, such as nested compressed archives, so the magic is checked first. */
	#checked(chunk: Uint8Array): Buffer {
		const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
		if (
			!this.#begun &&
			bytes.toString("latin1", magicAt, magicAt + magic.length) !== magic
		)
			throw new ArchiveFault("its compressed content is not a tar");
		this.#begun = true;
		return bytes;
	}
}
