/** The common interface of archive formats: a list of entries, each with a name and, for a file, its bytes. All of it is untrusted. */

export interface ArchiveEntry {
	/** As written in the archive. */
	readonly name: string;
	readonly kind: "file" | "folder" | "other";
	/** For messages: "a symbolic link". */
	readonly what: string;
	/** As the archive states; the actual size may differ. */
	readonly bytes: number;
	/** Contents of a file. Call it once, before requesting the next entry. */
	read(): AsyncIterable<Uint8Array>;
}

/** Entries in groups: an archive with a directory yields all of them at once, so that all are checked before any is written. */
export type Entries = AsyncIterable<readonly ArchiveEntry[]>;

/** The archive can't be read; the message gives the reason. */
export class ArchiveFault extends Error {
	override readonly name = "ArchiveFault";
}
