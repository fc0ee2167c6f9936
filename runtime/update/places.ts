/**
 * What lies beside the program while it is updated and afterwards, and how it is written: a name always stands for a whole file, also after a power cut.
 * All of it is in the program's own folder, where a rename can't fail half way, and where nobody may write who could not replace the program anyway.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { renameSurely, syncFile } from "../disk/whole-file.js";

export interface Places {
	readonly folder: string;
	/** What is started. */
	readonly program: string;
	/** The version before it. */
	readonly previous: string;
	/** Verified and to be the program. */
	readonly next: string;
	/** An update that was not judged yet (attempt.ts). */
	readonly attempt: string;
	/** The update that was taken back last. */
	readonly refused: string;
	/** Of the one process that may change any of this (lock.ts). */
	readonly lock: string;
}

export function placesOf(program: string): Places {
	return {
		folder: dirname(program),
		program,
		previous: `${program}.previous`,
		next: `${program}.next`,
		attempt: `${program}.attempt`,
		refused: `${program}.refused`,
		lock: `${program}.lock`,
	};
}

/** A second name for a file; where the file system has none (vfat), a copy. */
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
	await rm(growing, { force: true }); // two names of one file are left as they are by rename(2)
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

/** Of the service under systemd, which may not write where its program lies; of a file system that can't be written to. */
export function isNotOurs(error: unknown): boolean {
	const { code = "" } = error as NodeJS.ErrnoException;
	return ["EACCES", "EPERM", "EROFS"].includes(code);
}
