/**
 * The files beside the program during and after an update, and how they are written: a name always refers to a complete file, also after a power cut. All of
 * them are in the program's own folder, where a rename can't fail half way, and which is only writable for users who could replace the program anyway.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { renameSurely, syncFile } from "../disk/whole-file.js";

export interface Places {
	readonly folder: string;
	/** The program that is started. */
	readonly program: string;
	/** The previous version. */
	readonly previous: string;
	/** The version that was the previous one, until the new one is accepted. */
	readonly earlier: string;
	/** The verified new program. */
	readonly next: string;
	/** An update on trial (attempt.ts). */
	readonly attempt: string;
	/** The update that was rolled back last. */
	readonly refused: string;
	/** Held by the one process that may change these files (lock.ts). */
	readonly lock: string;
}

export function placesOf(program: string): Places {
	return {
		folder: dirname(program),
		program,
		previous: `${program}.previous`,
		earlier: `${program}.earlier`,
		next: `${program}.next`,
		attempt: `${program}.attempt`,
		refused: `${program}.refused`,
		lock: `${program}.lock`,
	};
}

/** Creates a second name for a file (hard link); a copy where the file system has none (vfat). */
export async function keepAs(path: string, name: string): Promise<void> {
	const growing = `${name}.new`;
	await rm(growing, { force: true });
	try {
		await link(path, growing);
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"].includes(code))
			throw error;
		await copyFile(path, growing);
		await syncFile(growing);
	}
	await renameSurely(growing, name);
	await rm(growing, { force: true }); // rename(2) does nothing if both names refer to the same file
}

export async function sha256Of(path: string): Promise<string> {
	const hash = createHash("sha256");
	for await (const chunk of createReadStream(path)) hash.update(chunk);
	return hash.digest("hex");
}

export async function readText(path: string): Promise<string | undefined> {
	try {
		return await readFile(path, "utf8");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
}

export async function bootId(): Promise<string> {
	return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
}

/** Permission errors: the service under systemd may not write to the program's folder, or the file system is read-only. */
export function isNotOurs(error: unknown): boolean {
	const { code = "" } = error as NodeJS.ErrnoException;
	return ["EACCES", "EPERM", "EROFS"].includes(code);
}
