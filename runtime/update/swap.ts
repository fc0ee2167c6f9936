/**
 * Replaces the program, and restores it. After each step the next start, or the next update, can tell the state:
 *
 * 1. `previous` is the current program (a second name of it)
 * 2. `attempt` records what is tried
 * 3. `next` becomes the program (rename)
 *
 * If the process is killed before 3, the program is the old one, and the record of another file is discarded. Going back is one rename, which several processes
 * may attempt at once: the first one succeeds.
 */
import { rm } from "node:fs/promises";
import { exists, renameSurely, writeWhole } from "../disk/whole-file.js";
import { type Attempt, readAttempt, writeAttempt } from "./attempt.js";
import { keepAs, type Places, readText, sha256Of } from "./places.js";

export async function putInPlace(
	places: Places,
	attempt: Attempt,
): Promise<void> {
	await keepAs(places.program, places.previous);
	await writeAttempt(places, attempt);
	await renameSurely(places.next, places.program);
}

/** The update on trial in the program's place. A record of one that was never put in place is discarded. */
export async function pendingAttempt(
	places: Places,
): Promise<Attempt | undefined> {
	const attempt = await readAttempt(places);
	if (
		attempt &&
		(await exists(places.previous)) &&
		(await sha256Of(places.program)) === attempt.sha256
	)
		return attempt;
	await rm(places.attempt, { force: true });
	return undefined;
}

/** The new version is healthy: the previous one is kept beside it. */
export async function accept(places: Places): Promise<void> {
	await rm(places.attempt, { force: true });
}

/** Restores the previous version, if an update is on trial. @param why it is refused from now on; undefined: it was not tried. */
export async function goBack(
	places: Places,
	why: string | undefined,
): Promise<void> {
	const attempt = await pendingAttempt(places);
	if (!attempt) return;
	if (why !== undefined) {
		const { to: version, sha256, offer } = attempt;
		await noteRefused(places, { version, sha256, offer, why });
	}
	try {
		await renameSurely(places.previous, places.program);
	} catch (error) {
		// another process was faster
		if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
	}
	await rm(places.attempt, { force: true });
}

/** Where that can't be written (a full disk), the same file may be tried once more; the device must not stay with it for that. */
export async function noteRefused(
	{ refused }: Places,
	note: Refused,
): Promise<void> {
	await writeWhole(refused, `${JSON.stringify(note)}\n`).catch(() => {});
}

export interface Refused {
	readonly version: string;
	readonly sha256: string;
	/** Which signed file it was (offer.ts); unknown where an older version wrote this, or it was rolled back later by hand. */
	readonly offer?: string | undefined;
	readonly why: string;
}

/** The update that was rolled back last. */
export async function lastRefused({
	refused,
}: Places): Promise<Refused | undefined> {
	try {
		const found = JSON.parse((await readText(refused)) ?? "null");
		return typeof found?.sha256 === "string" ? found : undefined;
	} catch {
		return undefined;
	}
}
