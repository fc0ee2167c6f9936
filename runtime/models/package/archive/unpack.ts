/**
 * Unpacks an archive of a model into an empty folder. The archive is untrusted: every entry is checked before it is written (entry-rules.ts), and its
 * contents may neither be larger than stated nor than the free disk space.
 *
 * The caller removes the folder, whether or not this succeeds.
 */
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { refuseWithoutRoom } from "../placing.js";
import {
	type ArchiveEntry,
	ArchiveFault,
	type Entries,
} from "./archive-entry.js";
import { EntryRules, type UnpackLimits } from "./entry-rules.js";
import { tarEntries } from "./tar-entries.js";
import { unbzip2 } from "./unbzip2.js";
import { zipEntries } from "./zip-entries.js";

export interface UnpackOptions {
	/** Bytes read of the archive, and its size. */
	readonly onBytes?: (bytes: number, total: number) => void;
	readonly signal?: AbortSignal;
	readonly limits?: Partial<UnpackLimits>;
}

const limitsDefault: UnpackLimits = {
	entriesMax: 10_000,
	bytesMax: 32e9,
	growthFreeBytes: 64e6,
};
/** Bytes of a tar per entry besides contents: headers, padding, names. */
const overheadBytes = 4096;
/** Maximum compression ratio after the first `growthFreeBytes`: weights hardly compress, so a higher one means a decompression bomb. */
const growthMax = 200;

/** @param into an empty folder. @throws ArchiveFault, PackageError, and system errors. */
export async function unpackArchive(
	path: string,
	into: string,
	options: UnpackOptions = {},
): Promise<void> {
	const limits = { ...limitsDefault, ...options.limits };
	const file = await open(path, "r");
	try {
		const entries = await entriesOf(path, file, limits, options);
		const rules = new EntryRules(limits);
		for await (const some of entries) {
			const places = some.map((entry) => rules.place(entry));
			const bytes = some.reduce(
				(sum, it, i) => sum + (places[i]?.length ? it.bytes : 0),
				0,
			);
			await refuseWithoutRoom(into, bytes);
			for (const [i, entry] of some.entries()) {
				options.signal?.throwIfAborted();
				const parts = places[i] ?? [];
				if (parts.length > 0)
					await write(entry, join(into, ...parts), options.signal);
			}
		}
	} finally {
		await file.close();
	}
}

/** Detects the format by the first bytes; the file name does not matter. */
async function entriesOf(
	path: string,
	file: FileHandle,
	limits: UnpackLimits,
	options: UnpackOptions,
): Promise<Entries> {
	const head = Buffer.alloc(4);
	await file.read(head, 0, head.length, 0);
	const { size } = await file.stat();
	const begin = head.toString("latin1");
	if (begin.startsWith("PK")) {
		options.onBytes?.(size, size);
		return zipEntries(file.fd, limits.entriesMax);
	}
	const isGzip = begin.startsWith("\x1f\x8b");
	if (!isGzip && !begin.startsWith("BZh"))
		throw new ArchiveFault("it is not a .tar.gz, .tar.bz2 or .zip");
	let read = 0;
	const compressed = createReadStream(path); // opens the path again: a stream closes its descriptor
	compressed.on("data", ({ length }) => {
		read += length;
		options.onBytes?.(read, size);
	});
	const bytes = isGzip ? gunzip(compressed) : unbzip2(compressed);
	return tarEntries(bounded(bytes, limits, () => read));
}

async function* gunzip(compressed: Readable): AsyncGenerator<Uint8Array> {
	const plain = createGunzip();
	pipeline(compressed, plain, () => {}); // `plain` reports errors
	try {
		yield* plain;
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		if (!code.startsWith("Z_")) throw error;
		throw new ArchiveFault(
			code === "Z_BUF_ERROR" ? "it is truncated" : "it is damaged",
		);
	}
}

async function* bounded(
	bytes: AsyncIterable<Uint8Array>,
	{ entriesMax, bytesMax, growthFreeBytes }: UnpackLimits,
	read: () => number,
): AsyncGenerator<Uint8Array> {
	let total = 0;
	for await (const chunk of bytes) {
		total += chunk.length;
		if (total > bytesMax + entriesMax * overheadBytes)
			throw new ArchiveFault(
				`it unpacks to more than ${(bytesMax / 1e9).toFixed(1)} GB`,
			);
		if (total > growthFreeBytes && total > growthMax * read())
			throw new ArchiveFault(
				`it unpacks to more than ${growthMax} times its size: no model does`,
			);
		yield chunk;
	}
}

async function write(
	entry: ArchiveEntry,
	path: string,
	signal: AbortSignal | undefined,
): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	const file = await open(path, "wx", 0o644);
	try {
		let written = 0;
		for await (const chunk of entry.read()) {
			signal?.throwIfAborted();
			written += chunk.length;
			if (written > entry.bytes) break;
			await file.appendFile(chunk);
		}
		if (written !== entry.bytes)
			throw new ArchiveFault(
				`${JSON.stringify(entry.name.slice(0, 80))} does not have the size that the archive states`,
			);
	} finally {
		await file.close();
	}
}
