/**
 * The private folder where the decoder keeps containers that it must be able to seek in. Each engine has its own inside the lane's folder, since an engine that
 * replaces another starts while the other still works. Folders left behind by dead engines are removed when the next engine starts.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { startTicksOf } from "../../process/running-process.js";

/** @returns this process's folder, created empty with mode 0700. */
export async function openSpoolFolder(laneFolder: string): Promise<string> {
	await mkdir(laneFolder, { recursive: true, mode: 0o700 });
	const own = nameFor(process.pid);
	for (const name of await readdir(laneFolder)) {
		const isRunning = name === nameFor(Number.parseInt(name, 10));
		if (name === own || !isRunning) await removeFolder(join(laneFolder, name));
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
