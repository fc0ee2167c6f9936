/**
 * Only one process at a time changes the program. The lock is the kernel's, on a file beside the program: it ends with its holder, however that ends. It is
 * taken through flock(1), which locks the file descriptor that it inherits: foreign functions need a native library, which may be just what an update has to
 * repair.
 *
 * INVARIANT: the holder has locked the file that currently has the name.
 */
import { spawnSync } from "node:child_process";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { bootId, isNotOurs, type Places, readText } from "./places.js";
import { UpdateError } from "./update-error.js";

/** flock(1): another process has the lock. */
const takenExitCode = 1;

/** @returns a function that releases the lock. @throws UpdateError where another process holds it. */
export async function lockPlaces(places: Places): Promise<() => Promise<void>> {
	const { lock } = places;
	for (;;) {
		const file = await openLock(places);
		try {
			if (!tryLock(file) || (await isOfOldVersion(lock)))
				throw await underWay(lock);
			if (await isAt(file, lock)) {
				await writeHolder(file);
				return async () => {
					await rm(lock, { force: true });
					await file.close();
				};
			}
		} catch (error) {
			await file.close();
			throw error;
		}
		await file.close(); // removed by its holder after we had opened it
	}
}

async function openLock({ folder, lock }: Places): Promise<FileHandle> {
	try {
		return await open(lock, "a+", 0o644);
	} catch (error) {
		if (!isNotOurs(error)) throw error;
		throw new UpdateError(
			`${folder} can't be written to (${(error as NodeJS.ErrnoException).code}): run the update as a user that can replace the program, usually root`,
		);
	}
}

/** The lock belongs to the open file, which the child only inherits. @throws UpdateError where flock is not available. */
function tryLock({ fd }: FileHandle): boolean {
	const { status, error, stderr } = spawnSync("flock", ["-x", "-n", "3"], {
		stdio: ["ignore", "ignore", "pipe", fd],
		encoding: "utf8",
	});
	if (status === 0) return true;
	if (status === takenExitCode) return false;
	throw new UpdateError(
		`failed to check for another update: flock (of util-linux or busybox) reports ${error?.message ?? stderr.trim()}`,
	);
}

async function isAt(file: FileHandle, path: string): Promise<boolean> {
	const named = await stat(path).catch(() => undefined);
	return named?.ino === (await file.stat()).ino;
}

/** `boot process flock`: versions before this lock only wrote, and only check, the first two. */
async function writeHolder(file: FileHandle): Promise<void> {
	await file.truncate();
	await file.write(`${await bootId()} ${process.pid} flock\n`);
}

async function isOfOldVersion(lock: string): Promise<boolean> {
	const [boot, pid, kind] = await holderIn(lock);
	return (
		kind === undefined && boot === (await bootId()) && isAlive(Number(pid))
	);
}

async function underWay(lock: string): Promise<UpdateError> {
	const [, pid] = await holderIn(lock);
	const who = Number(pid) > 0 ? `process ${Number(pid)}; ` : "";
	return new UpdateError(`another update is in progress (${who}${lock})`);
}

async function holderIn(lock: string): Promise<(string | undefined)[]> {
	return ((await readText(lock)) ?? "").trim().split(" ");
}

function isAlive(pid: number): boolean {
	if (!(pid > 0)) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
