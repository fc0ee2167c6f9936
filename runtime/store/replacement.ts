/**
 * Another database in the place of the one of a state directory: from a backup, or after damage.
 *
 * INVARIANTS
 * - Nothing changes until the copy has been read from its first row to its last; then it takes effect in one step. What was there before is kept.
 */
import {
	chmodSync,
	closeSync,
	createReadStream,
	createWriteStream,
	existsSync,
	fsyncSync,
	linkSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
} from "node:fs";
import { pipeline } from "node:stream/promises";
import { makeForFolderOwner } from "../disk/folder-owner.js";
import { type CheckOptions, damageOf } from "./damage-check.js";
import { requireRoom } from "./disk-room.js";
import { databasePath } from "./state-files.js";
import { StoreError } from "./store-error.js";

const pieceBytes = 1024 * 1024;

export interface Replacement {
	/** The state directory; nobody serves from it. */
	readonly dir: string;
	/** Copied. */
	readonly file: string;
	/** What can't be done without room, for people. */
	readonly what: string;
	/** Where what was there before lies then. */
	readonly aside: string;
	readonly check?: CheckOptions;
}

/** @returns whether there was something before. @throws StoreError: full; damaged where the file is no sound database. Errors of the file system as they come */
export async function replaceDatabase({
	dir,
	file,
	what,
	aside,
	check = {},
}: Replacement): Promise<boolean> {
	const path = databasePath(dir);
	const made = `${path}.restoring`;
	try {
		const { size: bytes } = statSync(file);
		await requireRoom({ what, folder: dir, bytes, reserveBytes: 0 });
		rmSync(made, { force: true }); // of one that was killed
		await copy(file, made, check.onProgress); // checked where it will be used, not where it lies
		keepForOwner(made);
		const reason = await damageOf(made, check);
		if (reason !== undefined)
			throw new StoreError(
				"damaged",
				`${file} is damaged and can't be restored: ${reason}`,
			);
		const wasThere = existsSync(path);
		if (wasThere) keepAside(path, aside);
		renameSync(made, path); // in place of the old one, which has its second name
		rmSync(`${path}-lock`, { force: true });
		sync(dir);
		return wasThere;
	} finally {
		rmSync(made, { force: true });
		rmSync(`${made}-lock`, { force: true });
	}
}

function keepAside(path: string, aside: string): void {
	try {
		linkSync(path, aside);
	} catch {
		renameSync(path, aside); // a card's file system may know no second names
	}
}

async function copy(
	from: string,
	to: string,
	onProgress: CheckOptions["onProgress"] = () => {},
): Promise<void> {
	const { size: total } = statSync(from);
	let done = 0;
	await pipeline(
		createReadStream(from, { highWaterMark: pieceBytes }),
		async function* (pieces: AsyncIterable<Buffer>) {
			for await (const piece of pieces) {
				yield piece;
				done += piece.length;
				onProgress({ doing: "restoring", done, total });
			}
		},
		createWriteStream(to, { fd: makeForFolderOwner(to, 0o600) }),
	);
}

/** It holds the applications' secrets. */
export function keepForOwner(path: string): void {
	chmodSync(path, 0o600);
	sync(path);
}

export function sync(path: string): void {
	const file = openSync(path, "r");
	fsyncSync(file);
	closeSync(file);
}

/** For names of files. */
export function timeStamp(): string {
	return new Date().toISOString().replace(/[:.]/g, "-");
}
