/**
 * The private folder where the decoder keeps containers that it must be able to seek in: each engine has its own in its lane's, since one that takes over from
 * another starts while that one still works. What engines that are gone left there is swept away when the next one starts.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { startTicksOf } from "../../process/running-process.js";

/** @returns the folder of this process, made with mode 0700, empty. */
export async function openSpoolFolder(laneFolder: string): Promise<string> {
	await mkdir(laneFolder, { recursive: true, mode: 0o700 });
	const own = nameFor(process.pid);
	for (const left of await readdir(laneFolder)) {
		const isAtWork = left === nameFor(Number.parseInt(left, 10));
		if (left === own || !isAtWork) await removeFolder(join(laneFolder, left));
	}
	const folder = join(laneFolder, own);
	await mkdir(folder, { mode: 0o700 });
	return folder;
}

export function removeFolder(folder: string): Promise<void> {
	return rm(folder, { recursive: true, force: true });
}

function nameFor(pid: number): string {
	return `${pid}-${startTicksOf(pid)}`;
}
