/**
 * Replaces the database of a state directory: from a backup, or after damage.
 *
 * INVARIANTS
 * - Nothing changes until the copy has been read from its first row to its last; then it takes effect in one step. The previous database is kept.
 */
import {
	closeSync,
	createReadStream,
	createWriteStream,
	existsSync,
	linkSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
} from "node:fs";
import { pipeline } from "node:stream/promises";
import { makeForFolderOwner } from "../disk/folder-owner.js";
import { syncNow } from "../disk/secret-file.js";
import { type CheckOptions, damageOf } from "./damage-check.js";
import { requireRoom } from "./disk-room.js";
import { databasePath } from "./state-files.js";
import { StoreError } from "./store-error.js";

const pieceBytes = 1024 * 1024;

export interface Replacement {
	/** The state directory; no server uses it. */
	readonly dir: string;
	/** The file that is copied. */
	readonly file: string;
	/** What fails without disk space, for people. */
	readonly what: string;
	/** New path of the previous database. */
	readonly aside: string;
	readonly check?: CheckOptions;
}

/**
 * @returns whether there was a previous database. @throws StoreError: full; damaged if the file is not a valid database. Errors of the file system unchanged
 */
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
		rmSync(made, { force: true }); // left by a killed process
		await copy(file, made, check.onProgress); // the copy is checked, not its source
		const reason = await damageOf(made, check);
		if (reason !== undefined)
			throw new StoreError(
				"damaged",
				isDatabase(made)
					? `${file} is damaged and can't be restored: ${reason}`
					: `${file} can't be restored: it is no backup that earshot made, or its beginning is damaged`,
			);
		const wasThere = existsSync(path);
		if (wasThere) keepAside(path, aside);
		renameSync(made, path); // replaces the old one, which keeps its second name
		rmSync(`${path}-lock`, { force: true });
		syncNow(dir);
		return wasThere;
	} finally {
		rmSync(made, { force: true });
		rmSync(`${made}-lock`, { force: true });
	}
}

/** LMDB's magic number, in the first page after its header. */
const magic = 0xbeefc0de;
const magicOffset = 24;

function isDatabase(path: string): boolean {
	const head = Buffer.alloc(magicOffset + 4);
	const file = openSync(path, "r");
	try {
		readSync(file, head);
	} finally {
		closeSync(file);
	}
	return head.readUInt32LE(magicOffset) === magic;
}

function keepAside(path: string, aside: string): void {
	try {
		linkSync(path, aside);
	} catch {
		renameSync(path, aside); // the file system of a card may not support hard links
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
		createWriteStream(to, {
			fd: makeForFolderOwner(to, 0o600), // it contains the applications' secrets
			flush: true,
		}),
	);
}

/** For file names. */
export function timeStamp(): string {
	return new Date().toISOString().replace(/[:.]/g, "-");
}
