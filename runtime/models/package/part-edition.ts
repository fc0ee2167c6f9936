/**
 * Of which edition of a file the beginning was downloaded: the server's own name for it, kept beside the partial file. Where no checksum will tell, it is what
 * keeps the rest of another edition from being appended.
 */
import { rmSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";

function besideOf(part: string): string {
	return `${part}.edition`;
}

/** @returns what `If-Range` may have (RFC 9110 section 13.1.5); undefined where the server did not say. */
export async function editionOf(part: string): Promise<string | undefined> {
	return readFile(besideOf(part), "utf8").catch(() => undefined);
}

/** At once: while something else is awaited between a response and its body, what a server sent before it broke off is lost. */
export function keepEdition(part: string, headers: Headers): void {
	const edition = strongTagIn(headers) ?? headers.get("last-modified");
	if (edition === null) rmSync(besideOf(part), { force: true });
	else writeFileSync(besideOf(part), edition);
}

/** False where the server says that it is another one: not every server heeds `If-Range`. */
export function mayBeOf(edition: string, headers: Headers): boolean {
	const isTag = edition.startsWith('"');
	const given = headers.get(isTag ? "etag" : "last-modified");
	return given === null || given === edition;
}

/** With its edition. */
export async function removePart(part: string): Promise<void> {
	await rm(part, { force: true });
	await rm(besideOf(part), { force: true });
}

/** A weak one may be the same for other bytes. */
function strongTagIn(headers: Headers): string | null {
	const tag = headers.get("etag");
	return tag?.startsWith('"') ? tag : null;
}
