/**
 * The executable's parts as files: shared libraries can only be loaded from a file system. They lie in a private folder, named by what is in it.
 *
 * INVARIANTS
 * - A part's name in the folder always stands for a whole file: it is written under another name and renamed. Any number of processes may do so at once.
 * - A part is compared with its sha256 before it is given out; a wrong one is written again.
 * - The folder belongs to this user, and nobody else may write there or read.
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
import { UnpackError } from "./unpack-error.js";

export interface Part {
	readonly name: string;
	readonly bytes: number;
	/** Hexadecimal. */
	readonly sha256: string;
}

/** What the executable holds. */
export interface PartSource {
	readonly parts: readonly Part[];
	read(name: string): Uint8Array;
}

const privateMode = 0o700;
/** Letters of the folder's name: 64 bits tell versions apart. */
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
	 * Every part is there afterwards, with its right length.
	 * @param base made where it is missing.
	 * @throws UnpackError where a part of the executable is damaged; errors of the file system
	 */
	static open(base: string, source: PartSource): PartFolder {
		const folder = new PartFolder(join(base, nameOf(source.parts)), source);
		const isNew = makePrivate(folder.path);
		try {
			for (const part of source.parts)
				if (lengthOf(join(folder.path, part.name)) !== part.bytes)
					folder.#write(part);
		} catch (error) {
			// a full disk is left as it was found
			if (isNew) rmSync(folder.path, { recursive: true, force: true });
			throw error;
		}
		if (isNew) removeOlder(base, folder.path);
		return folder;
	}

	/** A file with exactly the part's bytes. @throws UnpackError */
	file(name: string): string {
		const part = find(this.#source.parts, name);
		const path = join(this.path, name);
		if (!isPart(path, part)) this.#write(part);
		return path;
	}

	#write(part: Part): void {
		const content = this.#source.read(part.name);
		checkPart(part, content);
		const path = join(this.path, part.name);
		const growing = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
		try {
			writeFileSync(growing, content, { mode: privateMode, flag: "wx" });
			renameSync(growing, path);
		} catch (error) {
			rmSync(growing, { force: true });
			throw error;
		}
	}
}

/** @throws UnpackError where these bytes are not the part that was built in. */
export function checkPart(part: Part, content: Uint8Array): void {
	if (content.byteLength === part.bytes && sha256(content) === part.sha256)
		return;
	throw new UnpackError(
		`this executable is damaged: ${part.name} in it is not what was built in; fetch it again`,
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

/** @returns whether it was made now. @throws where somebody else could put a library there. */
function makePrivate(path: string): boolean {
	makeAll(dirname(path));
	let isNew = true;
	try {
		mkdirSync(path, { mode: privateMode });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		isNew = false;
	}
	for (const each of [dirname(path), path]) {
		const found = lstatSync(each); // a link would lead where somebody else likes
		const isOurs = found.isDirectory() && found.uid === process.getuid?.();
		if (!isOurs || (found.mode & 0o022) !== 0)
			throw new Error(
				`${each} is not a folder that only this user may write to`,
			);
	}
	return isNew;
}

function makeAll(path: string): void {
	try {
		mkdirSync(path, { recursive: true, mode: privateMode });
	} catch (error) {
		// Node says ENOENT of a file system that can't be written to: ask where it begins
		let there = path;
		while (!existsSync(there)) there = dirname(there);
		accessSync(there, constants.W_OK);
		throw error;
	}
}

/** Two versions stay: this one, and the one before it, which may run or be gone back to. */
function removeOlder(base: string, current: string): void {
	const others = readdirSync(base)
		.filter((name) => /^[0-9a-f]{16}$/.test(name))
		.map((name) => join(base, name))
		.filter((path) => path !== current)
		.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
	for (const path of others.slice(1))
		rmSync(path, { recursive: true, force: true });
}

function lengthOf(path: string): number {
	return lstatSync(path, { throwIfNoEntry: false })?.size ?? -1;
}

function isPart(path: string, part: Part): boolean {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(path, "r");
		const hash = createHash("sha256");
		// in pieces: the largest is 46 MB, and a process that loads it has better use for the memory
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
