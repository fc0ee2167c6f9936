/**
 * The entries of a zip archive. yauzl parses the format (this is the only file that uses it): it reads the central directory, as the format requires, and a
 * file whose size differs from the one stated there is an error. Checksums are compared here.
 */
import { crc32 } from "node:zlib";
import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import { type ArchiveEntry, ArchiveFault } from "./archive-entry.js";

/** The Unix mode (stat.h) is the upper half of the external attributes. */
const modeShift = 16;
const typeOfMode = 0o170000;
const others: ReadonlyMap<number, string> = new Map([
	[0o120000, "a symbolic link"],
	[0o020000, "a device"],
	[0o060000, "a device"],
	[0o010000, "a pipe"],
	[0o140000, "a socket"],
]);

/** @param descriptor of the open file; the caller closes it. @param entriesMax an archive with more is an error. */
export async function* zipEntries(
	descriptor: number,
	entriesMax: number,
): AsyncGenerator<readonly ArchiveEntry[]> {
	const zip = await open(descriptor);
	const entries: ArchiveEntry[] = [];
	try {
		for await (const entry of zip.eachEntry()) {
			if (entries.length === entriesMax)
				throw new ArchiveFault(`it has more than ${entriesMax} entries`);
			entries.push({
				name: entry.fileName,
				...kindOf(entry),
				bytes: entry.uncompressedSize,
				read: () => read(zip, entry),
			});
		}
	} catch (error) {
		throw faultOf(error as Error);
	}
	yield entries;
}

async function open(descriptor: number): Promise<ZipFile> {
	try {
		return await fromFdPromise(descriptor, {
			autoClose: false,
			lazyEntries: true,
			strictFileNames: true,
			validateEntrySizes: true,
		});
	} catch (error) {
		throw faultOf(error as Error);
	}
}

function kindOf(entry: Entry): Pick<ArchiveEntry, "kind" | "what"> {
	const type = (entry.externalFileAttributes >>> modeShift) & typeOfMode;
	const other =
		others.get(type) ?? (entry.isEncrypted() ? "encrypted" : undefined);
	if (other !== undefined) return { kind: "other", what: other };
	const isFolder = entry.fileName.endsWith("/");
	return { kind: isFolder ? "folder" : "file", what: "a file" };
}

async function* read(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
	let sum = 0;
	try {
		for await (const chunk of await zip.openReadStreamPromise(entry)) {
			sum = crc32(chunk as Buffer, sum);
			yield chunk as Buffer;
		}
	} catch (error) {
		throw faultOf(error as Error);
	}
	if (sum !== entry.crc32)
		throw new ArchiveFault(
			`${JSON.stringify(entry.fileName.slice(0, 80))} is damaged: its checksum does not match`,
		);
}

/** System errors are passed on; errors of the format become an ArchiveFault. */
function faultOf(error: Error): Error {
	const { code } = error as NodeJS.ErrnoException;
	const isOfSystem = code !== undefined && !code.startsWith("Z_");
	return isOfSystem ? error : new ArchiveFault(error.message);
}
