/**
 * The start of a program that may be on trial. It is counted by `earshot serve` itself, and by the service manager before and after it
 * (systemd/earshot.service), since the service may not write to the program's folder. A start that both have seen is counted once.
 */
import { uptime } from "node:os";
import { exists } from "../disk/whole-file.js";
import { type Attempt, judgeStart, writeAttempt } from "./attempt.js";
import { lockPlaces } from "./lock.js";
import { bootId, type Places } from "./places.js";
import { accept, goBack, pendingAttempt, settle } from "./swap.js";

export type Start =
	/** Nothing is on trial, or the service manager handles it. */
	| { readonly is: "usual" }
	| { readonly is: "trial"; readonly attempt: Attempt }
	/** The previous version was put back in place and must be started. */
	| { readonly is: "back"; readonly why: string; readonly attempt: Attempt };

/** Counts a start of the program. */
export async function beginStart(places: Places): Promise<Start> {
	// a start that can't be recorded is counted by the service manager
	const attempt = await attemptOnTrial(places);
	if (!attempt) return { is: "usual" };
	const { INVOCATION_ID: invocation } = process.env;
	const verdict = judgeStart(attempt, {
		boot: await bootId(),
		seconds: uptime(),
		...(invocation && { invocation }),
	});
	if (verdict.is === "go back") {
		await goBack(places, verdict.why);
		return { is: "back", why: verdict.why, attempt };
	}
	await writeAttempt(places, verdict.attempt);
	return { is: "trial", attempt: verdict.attempt };
}

/** Called when the running server is healthy. */
export async function endTrial(places: Places): Promise<void> {
	if (await attemptOnTrial(places)) await accept(places);
}

/** What was cut before it was in place is undone, unless an updater has the lock: its record may be of the next step. */
async function attemptOnTrial(places: Places): Promise<Attempt | undefined> {
	if (!(await exists(places.attempt))) return undefined;
	const pending = await pendingAttempt(places);
	if (pending) return pending;
	// also undefined where the lock can't be written, as on a full disk: nothing is on trial, and the next start or update settles it
	const release = await lockPlaces(places).catch(() => undefined);
	if (!release) return undefined;
	try {
		return await settle(places);
	} finally {
		await release();
	}
}
