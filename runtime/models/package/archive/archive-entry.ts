/** What is common to archives: a list of entries, each with a name and, where it is a file, its bytes. Nothing of it is believed. */

export interface ArchiveEntry {
	/** As it is written in the archive. */
	readonly name: string;
	readonly kind: "file" | "folder" | "other";
	/** What it is, for people: "a symbolic link". */
	readonly what: string;
	/** That it promises; what comes may be another number. */
	readonly bytes: number;
	/** Of a file, once, and before the next entry is asked for. */
	read(): AsyncIterable<Uint8Array>;
}

/** Entries as the archive tells them: one that knows all at once gives all at once, so that all are looked at before any is written. */
export type Entries = AsyncIterable<readonly ArchiveEntry[]>;

/** It can't be read; the message says why. */
export class ArchiveFault extends Error {
	override readonly name = "ArchiveFault";
}
