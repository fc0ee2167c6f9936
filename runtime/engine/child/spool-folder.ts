/**
 * The private folder where the decoder keeps containers that it must be able to seek in. What a killed engine left there is swept away when
 * the next one starts.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Makes the folder (0700), or empties it. */
export async function sweepSpoolFolder(folder: string): Promise<void> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	for (const left of await readdir(folder))
		await rm(join(folder, left), { recursive: true, force: true });
}
