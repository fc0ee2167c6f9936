/** A stored file, or a range of it, as the body of an answer: opened when the first piece is requested, closed after the last one or when the reader stops. */
import { type FileHandle, open } from "node:fs/promises";

const pieceBytes = 64 * 1024;

/**
 * @param from and end in bytes; the file has at least `end`. @param missing makes the error where the file was removed after it was measured.
 * @throws Error where it has fewer, or can't be opened
 */
export async function* filePieces(
	path: string,
	from: number,
	end: number,
	missing?: () => Error,
): AsyncGenerator<Uint8Array> {
	if (from >= end) return;
	const file = await open(path, "r").catch((thrown) => {
		throw (thrown.code === "ENOENT" && missing?.()) || thrown;
	});
	try {
		for (let at = from; at < end; ) {
			const piece = await read(file, at, Math.min(pieceBytes, end - at));
			if (piece.length === 0)
				throw new Error("a stored file has become shorter");
			at += piece.length;
			yield piece;
		}
	} finally {
		await file.close();
	}
}

async function read(
	file: FileHandle,
	position: number,
	length: number,
): Promise<Uint8Array> {
	const buffer = Buffer.alloc(length);
	const { bytesRead } = await file.read({ buffer, position });
	return buffer.subarray(0, bytesRead);
}
