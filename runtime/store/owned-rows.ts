/**
 * Stored form of rows with an owner. Versions before owners had kinds stored `owner` as the plain name and compare it with a token's; such a version may be
 * reinstalled over this store (`earshot update --rollback`). So the name is stored as before, with its kind beside it.
 */
import { type Owner, type OwnerKind, ownerOf, ownerParts } from "../owner.js";
import type { Database, Table } from "./database.js";
import { type Codec, codecOf } from "./row-codec.js";

/** A row as stored. */
export interface StoredOwner {
	/** The plain name. */
	readonly owner: string;
	/** Missing in rows of versions without kinds: the server's next start adds it (owner-kinds.ts). */
	readonly ownerKind?: OwnerKind;
}

/** @param codec for the rest of a row. */
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

/** A row without a kind belongs to no token until it has one. */
function inMemory({ ownerKind = "anyone", ...row }: StoredOwner) {
	return { ...row, owner: ownerOf(ownerKind, row.owner) };
}
