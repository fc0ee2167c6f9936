/**
 * Keys of lists: a stored list is identified by its kind, its id and the version of its entries; one sent with a request, or by another device, by its content.
 */
import { createHash } from "node:crypto";

export type ListKind = "hotwords" | "correction-words" | "forbidden-words";

/** Ids of stored lists contain no @, / or |, which keys and requests put between them. */
export const listIdCharactersMax = 150;
export const listIdPattern = `[a-zA-Z0-9_-]{1,${listIdCharactersMax}}`;

/** A stored list, whatever it contains at the moment. */
export interface ListRef {
	readonly kind: ListKind;
	readonly id: string;
}

/** `hotwords/HW123` */
export function nameOf({ kind, id }: ListRef): string {
	return `${kind}/${id}`;
}

/** `hotwords/HW123@version` */
export function storedKey(ref: ListRef, version: string): string {
	return `${nameOf(ref)}@${version}`;
}

/** Lists with the same content have the same key, whoever sent them. */
export function inlineKey(entries: readonly string[]): string {
	const hash = createHash("sha256").update(JSON.stringify(entries));
	return `inline/${hash.digest("base64url")}`;
}

/** The stored list of a key, as `nameOf` writes it; undefined for one sent with a request. Ids contain no @. */
export function storedNameOf(key: string): string | undefined {
	const at = key.lastIndexOf("@");
	return at < 0 ? undefined : key.slice(0, at);
}

/** @param key of a stored list. */
export function idOfKey(key: string): string {
	const name = storedNameOf(key) ?? key;
	return name.slice(name.indexOf("/") + 1);
}
