/**
 * What root makes in somebody else's folder becomes theirs, as if they had made it: else the service can't open what a command beside it left. That which was
 * there stays whose it is.
 *
 * INVARIANT: whoever owns the folder may put a link in a name's place at any moment, so what is given is an open file that root made, and never a name.
 */
import {
	closeSync,
	constants,
	fchownSync,
	fstatSync,
	openSync,
	readdirSync,
	statSync,
} from "node:fs";
import { dirname } from "node:path";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
const root = 0;

interface Owner {
	readonly uid: number;
	readonly gid: number;
}

/** A file that is not there yet, open to be read and written. @throws NodeJS.ErrnoException EEXIST where it is, as a link, too */
export function makeForFolderOwner(path: string, mode: number): number {
	const made = openSync(path, O_RDWR | O_CREAT | O_EXCL, mode);
	giveOpen(made, heirOf(path));
	return made;
}

/** As `openSync`; what is not there is made. @throws NodeJS.ErrnoException */
export function openForFolderOwner(
	path: string,
	flags: number,
	mode: number,
): number {
	try {
		return makeForFolderOwner(path, mode);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		return openSync(path, flags | O_CREAT, mode);
	}
}

/** What this process has made there, a folder with all that is in it. @throws NodeJS.ErrnoException */
export function giveToFolderOwner(path: string): void {
	const heir = heirOf(path);
	if (heir) giveAt(path, heir);
}

function heirOf(path: string): Owner | undefined {
	if (process.geteuid?.() !== root) return undefined;
	const { uid, gid } = statSync(dirname(path));
	return uid === root ? undefined : { uid, gid };
}

function giveAt(path: string, heir: Owner): void {
	const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	try {
		giveOpen(file, heir);
	} finally {
		closeSync(file);
	}
}

function giveOpen(file: number, heir: Owner | undefined): void {
	if (!heir) return;
	const found = fstatSync(file);
	// of another name of it nobody here knows what it is for
	const isMade =
		found.uid === root && (found.isDirectory() || found.nlink === 1);
	if (!isMade) return;
	const inside = `/proc/self/fd/${file}`;
	// before its new owner can change what is in it
	if (found.isDirectory())
		for (const it of readdirSync(inside, { withFileTypes: true }))
			if (it.isFile() || it.isDirectory()) giveAt(`${inside}/${it.name}`, heir);
	try {
		fchownSync(file, heir.uid, heir.gid);
	} catch {} // a file system without owners, or a root that may not: it stays as it is
}
