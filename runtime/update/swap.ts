/**
 * Replaces the program, and restores it. Each step is on the disk before the next one begins, and after each the next start, or the next update, can tell the
 * state if the process is killed or the power fails there:
 *
 * 1. `attempt` records what is tried. Cut after it: `program` and `previous` are as they were; the record, of another file than the program, is discarded.
 * 2. `previous` becomes `earlier` (rename), and then `previous` is the current program (a second name of it). Cut between or after: the program is still the
 *    old one, and `earlier` becomes `previous` again.
 * 3. `next` becomes the program (rename). Cut after it: the new version is on trial. Once it is accepted, `earlier` is removed; where the same file was installed
 *    again, it becomes `previous` again.
 *
 * So the record comes first: between 2 and 3 it must be there, and while it can't be written (a full disk) no name may change. Going back is one rename, which
 * several processes may attempt at once: the first one succeeds. It leaves `earlier` to the next holder of the lock.
 */
import { rm } from "node:fs/promises";
import { exists, renameSurely, writeWhole } from "../disk/whole-file.js";
import { type Attempt, readAttempt, writeAttempt } from "./attempt.js";
import { keepAs, type Places, readText, sha256Of } from "./places.js";

/** Only for the holder of the lock. */
export async function putInPlace(
	places: Places,
	attempt: Attempt,
): Promise<void> {
	await writeAttempt(places, attempt);
	try {
		if (await exists(places.previous))
			await renameSurely(places.previous, places.earlier);
		await keepAs(places.program, places.previous);
		await renameSurely(places.next, places.program);
	} catch (error) {
		await settle(places);
		throw error;
	}
}

/** The update on trial in the program's place. Another record is left: its update may be between two steps in another process. */
export async function pendingAttempt(
	places: Places,
): Promise<Attempt | undefined> {
	const attempt = await readAttempt(places);
	const isInPlace =
		attempt &&
		(await exists(places.previous)) &&
		(await sha256Of(places.program)) === attempt.sha256;
	return isInPlace ? attempt : undefined;
}

/** Only for the holder of the lock: undoes what was cut before it was in place. @returns the update on trial. */
export async function settle(places: Places): Promise<Attempt | undefined> {
	const pending = await pendingAttempt(places);
	if (pending) return pending;
	await restoreEarlier(places);
	await rm(places.attempt, { force: true });
	return undefined;
}

/** Unless `previous` is another version than the program already. */
async function restoreEarlier(places: Places): Promise<void> {
	const { previous, earlier } = places;
	if (!(await exists(earlier))) return;
	const isKept =
		(await exists(previous)) && !(await isProgram(previous, places));
	if (isKept) await rm(earlier);
	else await renameSurely(earlier, previous);
}

/** Whether a file has the same bytes as the program. */
async function isProgram(path: string, { program }: Places): Promise<boolean> {
	return (await sha256Of(path)) === (await sha256Of(program));
}

/** Another process was faster. */
function unlessGone(error: unknown): void {
	if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

/** The new version is healthy: the previous one is kept beside it. Where both are the same file, the one before them is. */
export async function accept(places: Places): Promise<void> {
	const { attempt, previous, earlier } = places;
	// first, since it takes a while: without the record an updater may begin
	const isReinstalled =
		(await exists(earlier)) &&
		(await exists(previous)) &&
		(await isProgram(previous, places));
	await rm(attempt, { force: true });
	// last: without the record the next update does it as well
	if (isReinstalled) await renameSurely(earlier, previous).catch(unlessGone);
	else await rm(earlier, { force: true });
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
	await renameSurely(places.previous, places.program).catch(unlessGone);
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
