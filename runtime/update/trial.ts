/**
 * The start of a program that may be on trial. Two ask: `earshot serve` itself, and the service manager before and after it (systemd/earshot.service), for
 * the service may not write where its program lies. A start that both have seen is counted once.
 */
import { uptime } from "node:os";
import {
	type Attempt,
	judgeStart,
	readAttempt,
	writeAttempt,
} from "./attempt.js";
import { bootId, type Places } from "./places.js";
import { accept, goBack, pendingAttempt } from "./swap.js";

export type Start =
	/** Nothing is on trial, or somebody else looks after it. */
	| { readonly is: "usual" }
	| { readonly is: "trial"; readonly attempt: Attempt }
	/** The program's place holds the version before: start that one. */
	| { readonly is: "back"; readonly why: string; readonly attempt: Attempt };

/** Counts a start of the program. */
export async function beginStart(places: Places): Promise<Start> {
	// one that can't be written down is the service manager's to count
	if (!(await readAttempt(places))) return { is: "usual" };
	const attempt = await pendingAttempt(places);
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

/** The running server is healthy. */
export async function endTrial(places: Places): Promise<void> {
	if (await pendingAttempt(places)) await accept(places);
}
