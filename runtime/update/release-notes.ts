/** What a release changes, in its maker's words: a text beside it, whose checksum the signed comment states. */
import { createHash } from "node:crypto";
import { readSmallFile } from "../download/small-file.js";
import type { Offer } from "./offer.js";
import { UpdateError } from "./update-error.js";

/** Enough for years of changes. */
export const notesBytesMax = 64 * 1024;

/** @returns the text; "" where the signature names none. @throws UpdateError where it can't be read, or is another. */
export async function readNotes({ location, release }: Offer): Promise<string> {
	if (release.notesSha256 === undefined) return "";
	const from = `${location}.notes`;
	let bytes: Buffer;
	try {
		bytes = await readSmallFile(from, notesBytesMax);
	} catch (error) {
		const { message } = error as Error;
		throw new UpdateError(`its notes ${from} can't be read: ${message}`);
	}
	if (createHash("sha256").update(bytes).digest("hex") !== release.notesSha256)
		throw new UpdateError(`its notes ${from} are not those that were signed`);
	return bytes.toString("utf8");
}
