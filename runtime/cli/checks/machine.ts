/** The machine: memory, disk, clock, and the libraries of the system. */
import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import { openTimeSync } from "../../../drivers/clock/time-sync.js";
import type { TimeSync } from "../../clock/sync-port.js";
import { builtAt } from "../../config/own-program.js";
import { bytesPerMegabyte } from "../../config/sections/files.js";
import { freeBytesOf } from "../../disk/free-bytes.js";
import { nearestExisting } from "../../disk/nearest-existing.js";
import { broken, type Finding, ok, warning } from "./finding.js";

/** One engine with the embedded model and the main process, plus room for a second engine while files are transcribed. */
const memoryNeededMb = 600;
const memoryComfortMb = 1200;
const diskNeededMb = 100;
const diskComfortMb = 1024;

export async function checkMemory(
	totalMb = totalmem() / bytesPerMegabyte,
	freeMb = process.availableMemory() / bytesPerMegabyte, // caches included, limits respected
): Promise<Finding> {
	const about = "memory";
	const says = `${Math.round(freeMb)} of ${Math.round(totalMb)} MB free`;
	if (freeMb < memoryNeededMb)
		return broken(
			about,
			`${says}; an engine needs ${memoryNeededMb}`,
			"stop other programs, or use a machine with more memory",
		);
	if (freeMb < memoryComfortMb)
		return warning(
			about,
			says,
			"enough for streams; transcribing files at the same time may not fit",
		);
	return ok(about, says);
}

/** @param folder created by the first start: until then the folder that would contain it is checked. */
export async function checkStateFolder(folder: string): Promise<Finding> {
	const about = "state directory";
	const elsewhere = "set EARSHOT_STATE_DIR to a folder that can be written";
	const nearest = await nearestExisting(folder);
	try {
		if (!(await stat(nearest)).isDirectory())
			throw new Error(`${nearest} is not a directory`);
		await access(nearest, constants.W_OK | constants.X_OK);
	} catch (error) {
		const why = (error as Error).message;
		return broken(about, `${folder} can't be written: ${why}`, elsewhere);
	}
	const freeMb = Math.round((await freeBytesOf(nearest)) / bytesPerMegabyte);
	const says = `${folder}, ${freeMb} MB free`;
	if (freeMb < diskNeededMb)
		return broken(about, says, `free some space, or ${elsewhere}`);
	if (freeMb < diskComfortMb)
		return warning(about, says, "uploaded files may not fit");
	return ok(about, says);
}

/** Token expiry and signatures depend on the clock: a time before this program was built is wrong. */
export async function checkClock(
	now = new Date(),
	built = builtAt(),
	isSynchronised: TimeSync = openTimeSync(),
): Promise<Finding> {
	const about = "clock";
	const dayMs = 86_400_000;
	if (now.getTime() < built.getTime() - dayMs)
		return broken(
			about,
			`${now.toISOString()} is before this program was built (${built.toISOString()})`,
			"set the clock: timedatectl set-ntp true",
		);
	if ((await isSynchronised()) === false)
		return warning(
			about,
			`${now.toISOString()}, not synchronised`,
			"synchronise it with a time server: timedatectl set-ntp true; without one, set it by hand (date -s); docs/service.md describes how earshot handles a wrong clock",
		);
	return ok(about, now.toISOString());
}

const libraryFolders = [
	"/lib/x86_64-linux-gnu",
	"/lib/aarch64-linux-gnu",
	"/usr/lib/x86_64-linux-gnu",
	"/usr/lib/aarch64-linux-gnu",
	"/usr/lib64",
	"/usr/lib",
];

/** Only microphones need it. */
export async function checkAlsa(
	folders: readonly string[] = libraryFolders,
): Promise<Finding> {
	const about = "ALSA";
	for (const folder of folders) {
		const names: string[] = await readdir(folder).catch(() => []);
		if (names.includes("libasound.so.2"))
			return ok(about, join(folder, "libasound.so.2"));
	}
	return warning(
		about,
		"libasound.so.2 is not installed: microphones can't be used",
		"apt-get install libasound2",
	);
}
