/**
 * Writes bytes that must be seekable for decoding to a private file, limits their number, and removes the file afterwards.
 * Only compressed input is spooled, never decoded samples.
 */
import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { CodedError } from "../../runtime/errors.js";

export interface Spool {
	readonly path: string;
	remove(): Promise<void>;
}

/** @param folder must exist. @throws CodedError 200004 above the limit; the file is then removed. */
export async function spoolBytes(
	bytes: AsyncIterable<Uint8Array>,
	folder: string,
	bytesMax: number,
	signal: AbortSignal | undefined,
): Promise<Spool> {
	const room = await mkdtemp(join(folder, "earshot-spool-")); // mode 0700
	const remove = () => rm(room, { recursive: true, force: true });
	const path = join(room, "input");
	try {
		await writeAll(bytes, path, bytesMax, signal);
	} catch (failure) {
		await remove();
		throw failure;
	}
	return { path, remove };
}

async function writeAll(
	bytes: AsyncIterable<Uint8Array>,
	path: string,
	bytesMax: number,
	signal: AbortSignal | undefined,
): Promise<void> {
	const file = await open(path, "wx", 0o600);
	try {
		let written = 0;
		for await (const chunk of bytes) {
			signal?.throwIfAborted();
			written += chunk.length;
			if (written > bytesMax)
				throw new CodedError(
					"200004",
					`audio file is larger than its limit of ${bytesMax} bytes`,
				);
			await file.writeFile(chunk); // appends after the previous chunk
		}
	} finally {
		await file.close();
	}
}
