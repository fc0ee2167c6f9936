/**
 * The executable's parts as files: shared libraries can only be loaded from a file system. They are in a private folder, named by a hash of its contents.
 *
 * INVARIANTS
 * - A part's name in the folder always refers to a complete file: it is written under another name and renamed. Several processes may do so at once.
 * - A part is compared with its sha256 before it is used; a wrong one is written again.
 * - The folder belongs to this user, and no other user may write there or read.
 */
import { createHash, randomBytes } from "node:crypto";
import {
	accessSync,
	closeSync,
	constants,
	existsSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isRunning } from "../process/running-process.js";
import { UnpackError } from "./unpack-error.js";

export interface Part {
	readonly name: string;
	readonly bytes: number;
	/** Hexadecimal. */
	readonly sha256: string;
}

/** The parts inside the executable. */
export interface PartSource {
	readonly parts: readonly Part[];
	read(name: string): Uint8Array;
}

const privateMode = 0o700;
/** Characters of the folder's name: 64 bits distinguish versions. */
const nameLetters = 16;
const pieceBytes = 1024 * 1024;

export class PartFolder {
	readonly path: string;
	readonly #source: PartSource;

	private constructor(path: string, source: PartSource) {
		this.path = path;
		this.#source = source;
	}

	/**
	 * Ensures that every part exists with its right length.
	 * @param base created if missing.
	 * @throws UnpackError if a part of the executable is damaged; errors of the file system
	 */
	static open(base: string, source: PartSource): PartFolder {
		const folder = new PartFolder(join(base, nameOf(source.parts)), source);
		const isNew = makePrivate(folder.path);
		if (!isNew) removeUnfinished(folder.path);
		try {
			for (const part of source.parts)
				if (fileBytesOf(join(folder.path, part.name)) !== part.bytes)
					folder.#write(part);
		} catch (error) {
			// do not leave a full disk fuller than before
			if (isNew) rmSync(folder.path, { recursive: true, force: true });
			throw error;
		}
		if (isNew) removeOlder(base, folder.path);
		return folder;
	}

	/** @returns its path, where it exists and nobody else can write there; nothing is written. */
	static existing(base: string, parts: readonly Part[]): string | undefined {
		const path = join(base, nameOf(parts));
		try {
			return isPrivate(base) && isPrivate(path) ? path : undefined;
		} catch {
			return undefined;
		}
	}

	/** @returns the path of a file with exactly the part's bytes. @throws UnpackError */
	file(name: string): string {
		const part = find(this.#source.parts, name);
		const path = join(this.path, name);
		if (!isPart(path, part)) this.#write(part);
		return path;
	}

	#write(part: Part): void {
		const content = this.#source.read(part.name);
		checkPart(part, content);
		placeFile(join(this.path, part.name), content, privateMode);
	}
}

/** Under another name until it is complete, and without a trace where it can't be written. */
export function placeFile(
	path: string,
	content: Uint8Array,
	mode: number,
): void {
	const growing = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
	try {
		writeFileSync(growing, content, { mode, flag: "wx" });
		renameSync(growing, path);
	} catch (error) {
		rmSync(growing, { force: true });
		throw error;
	}
}

/** Files that a process was writing when it was killed, or the power failed. */
function removeUnfinished(folder: string): void {
	for (const name of readdirSync(folder)) {
		const [, pid] = /\.(\d+)-[0-9a-f]{8}$/.exec(name) ?? [];
		// in a container the process before had our id, and of ours nothing is unfinished now
		const isOurs = Number(pid) === process.pid;
		if (pid === undefined || (!isOurs && isRunning(Number(pid)))) continue;
		try {
			rmSync(join(folder, name), { force: true });
		} catch {} // of a complete folder that may only be read: it is usable
	}
}

/** @throws UnpackError if these bytes differ from the part that was built in. */
export function checkPart(part: Part, content: Uint8Array): void {
	if (content.byteLength === part.bytes && sha256(content) === part.sha256)
		return;
	throw new UnpackError(
		`this executable is damaged: ${part.name} in it differs from what was built in; download it again`,
	);
}

export function find(parts: readonly Part[], name: string): Part {
	const part = parts.find((it) => it.name === name);
	if (!part) throw new UnpackError(`this executable has no part ${name}`);
	return part;
}

function nameOf(parts: readonly Part[]): string {
	const all = parts.map((it) => `${it.sha256}  ${it.name}\n`).join("");
	return sha256(Buffer.from(all)).slice(0, nameLetters);
}

/** @returns whether it was created now. @throws if another user could put a library there. */
function makePrivate(path: string): boolean {
	makeAll(dirname(path));
	let isNew = true;
	try {
		mkdirSync(path, { mode: privateMode });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		isNew = false;
	}
	for (const each of [dirname(path), path])
		if (!isPrivate(each))
			throw new Error(
				`${each} is not a folder that only this user may write to`,
			);
	return isNew;
}

function isPrivate(path: string): boolean {
	const found = lstatSync(path); // a link could lead to a folder of another user
	const isOurs = found.isDirectory() && found.uid === process.getuid?.();
	return isOurs && (found.mode & 0o022) === 0;
}

function makeAll(path: string): void {
	try {
		mkdirSync(path, { recursive: true, mode: privateMode });
	} catch (error) {
		// on a read-only file system Node reports ENOENT: find the real error at the nearest existing folder
		let nearest = path;
		while (!existsSync(nearest)) nearest = dirname(nearest);
		accessSync(nearest, constants.W_OK);
		throw error;
	}
}

/** Keeps two versions: this one, and the previous one, which may be running or be restored. */
function removeOlder(base: string, current: string): void {
	const others = readdirSync(base)
		.filter((name) => /^[0-9a-f]{16}$/.test(name))
		.map((name) => join(base, name))
		.filter((path) => path !== current)
		.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
	for (const path of others.slice(1))
		rmSync(path, { recursive: true, force: true });
}

function fileBytesOf(path: string): number {
	return lstatSync(path, { throwIfNoEntry: false })?.size ?? -1;
}

function isPart(path: string, part: Part): boolean {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(path, "r");
		const hash = createHash("sha256");
		// in pieces: the largest part is 46 MB, and the process that loads it needs the memory
		const piece = Buffer.allocUnsafe(pieceBytes);
		for (;;) {
			const bytes = readSync(descriptor, piece);
			if (bytes === 0) return hash.digest("hex") === part.sha256;
			hash.update(piece.subarray(0, bytes));
		}
	} catch {
		return false;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}

function sha256(content: Uint8Array): string {
	return createHash("sha256").update(content).digest("hex");
}
