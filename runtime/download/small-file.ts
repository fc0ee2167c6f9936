/** A small file at a URL or path, as those beside a release are. */
import { readFile, stat } from "node:fs/promises";
import { fetchFromInternet } from "./internet.js";

const msMax = 30_000;

export function isUrl(location: string): boolean {
	return /^https?:\/\//.test(location);
}

/** @throws Error in words, also for a file of more than `bytesMax`. */
export async function readSmallFile(
	location: string,
	bytesMax: number,
): Promise<Buffer> {
	if (!isUrl(location)) {
		const found = await stat(location);
		if (!found.isFile() || found.size > bytesMax)
			throw new Error("it is too large or not a file");
		return readFile(location);
	}
	try {
		return await fetched(location, bytesMax);
	} catch (error) {
		const { message, cause } = error as Error & { cause?: Error };
		throw new Error(cause?.message ?? message);
	}
}

async function fetched(location: string, bytesMax: number): Promise<Buffer> {
	const response = await fetchFromInternet(location, {
		signal: AbortSignal.timeout(msMax),
	});
	if (!response.ok) throw new Error(`the server returned ${response.status}`);
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of response.body ?? []) {
		bytes += chunk.length;
		if (bytes > bytesMax) throw new Error("it is too large");
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
