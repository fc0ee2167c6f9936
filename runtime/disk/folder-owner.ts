/**
 * Files that root creates in another user's folder are given to that user, as if they had created them: otherwise the service can't open what a command left
 * beside it.
 * Existing files keep their owner.
 *
 * INVARIANT: the owner of the folder may replace a name by a link at any moment, so owner and mode are changed on an open file that root created, never by name.
 */
import {
	closeSync,
	constants,
	fchmodSync,
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

/** Creates a file and opens it for reading and writing. @throws NodeJS.ErrnoException EEXIST if it exists, even as a link */
export function makeForFolderOwner(path: string, mode: number): number {
	const made = openSync(path, O_RDWR | O_CREAT | O_EXCL, mode);
	giveOpen(made, folderOwnerOf(path));
	return made;
}

/** As `openSync`; a missing file is created. @throws NodeJS.ErrnoException */
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

/** Gives what this process has created there, a folder with all of its contents. @throws NodeJS.ErrnoException */
export function giveToFolderOwner(path: string): void {
	const owner = folderOwnerOf(path);
	if (owner) giveAt(path, owner);
}

/** Sets the mode of what this process has created there. @throws NodeJS.ErrnoException, ELOOP if it was replaced by a link; Error if by another file */
export function setModeOfMade(path: string, mode: number): void {
	withMade(path, (file) => {
		const found = fstatSync(file);
		if (!found.isDirectory() && found.nlink > 1)
			throw new Error(`${path} was replaced while it was made`);
		fchmodSync(file, mode);
	});
}

function folderOwnerOf(path: string): Owner | undefined {
	if (process.geteuid?.() !== root) return undefined;
	const { uid, gid } = statSync(dirname(path));
	return uid === root ? undefined : { uid, gid };
}

function giveAt(path: string, owner: Owner): void {
	withMade(path, (file) => giveOpen(file, owner));
}

function withMade(path: string, act: (file: number) => void): void {
	const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	try {
		act(file);
	} finally {
		closeSync(file);
	}
}

function giveOpen(file: number, owner: Owner | undefined): void {
	if (!owner) return;
	const found = fstatSync(file);
	// a file with other names may be in use elsewhere
	const isMade =
		found.uid === root && (found.isDirectory() || found.nlink === 1);
	if (!isMade) return;
	const inside = `/proc/self/fd/${file}`;
	// before its new owner can change its contents
	if (found.isDirectory())
		for (const it of readdirSync(inside, { withFileTypes: true }))
			if (it.isFile() || it.isDirectory())
				giveAt(`${inside}/${it.name}`, owner);
	try {
		fchownSync(file, owner.uid, owner.gid);
	} catch {} // a file system without owners, or a restricted root: the owner stays
}
