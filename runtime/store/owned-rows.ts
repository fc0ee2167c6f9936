/**
 * Rows that belong to somebody, as they lie on the disk. Versions of before owners had kinds wrote `owner` as the plain name and compare it with a token's; one
 * of them may be put back over this store (`earshot update --rollback`). So the name stays what it was, and its kind stands beside it.
 */
import { type Owner, type OwnerKind, ownerOf, ownerParts } from "../owner.js";
import type { Database, Table } from "./database.js";
import { type Codec, codecOf } from "./row-codec.js";

/** A row as it lies there. */
export interface StoredOwner {
	/** The plain name. */
	readonly owner: string;
	/** Not there where a version that knew none wrote it: the server's next start adds it (owner-kinds.ts). */
	readonly ownerKind?: OwnerKind;
}

/** @param codec of the rest of a row. */
export function ownedTable<Row extends { readonly owner: Owner }>(
	database: Database,
	name: string,
	codec = codecOf(name),
): Table<Row> {
	return database.table(name, ownedCodec(codec));
}

function ownedCodec({ encode, decode }: Codec): Codec {
	return {
		encode: (value) => encode(onDisk(value as { readonly owner: Owner })),
		decode: (bytes) => inMemory(decode(bytes) as StoredOwner),
	};
}

function onDisk(row: { readonly owner: Owner }): StoredOwner {
	const { kind, name } = ownerParts(row.owner);
	return { ...row, owner: name, ownerKind: kind };
}

/** One without a kind belongs to no token until it has one. */
function inMemory({ ownerKind = "anyone", ...row }: StoredOwner) {
	return { ...row, owner: ownerOf(ownerKind, row.owner) };
}
