/**
 * How lists are named: a stored one by its kind, its id and the version of its entries; one that came with a request, or from another device, by what it holds.
 */
import { createHash } from "node:crypto";

export type ListKind = "hotwords" | "correction-words" | "forbidden-words";

/** A stored list, whatever it holds at the moment. */
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

/** Two lists have the same key when they hold the same, whoever sent them. */
export function inlineKey(entries: readonly string[]): string {
	const hash = createHash("sha256").update(JSON.stringify(entries));
	return `inline/${hash.digest("base64url")}`;
}

/** The stored list that a key is of, as `nameOf` writes it; undefined for one that came with a request. Ids hold no @. */
export function storedNameOf(key: string): string | undefined {
	const at = key.lastIndexOf("@");
	return at < 0 ? undefined : key.slice(0, at);
}
