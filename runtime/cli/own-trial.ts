/**
 * The trial of an update for `earshot serve` without a service manager that watches it (systemd/earshot.service does): after too many starts, or too long
 * without health, the previous version is put back in place; the next start of the server runs that version.
 */
import { isExecutable, programFile } from "../config/own-program.js";
import { isNotOurs, placesOf } from "../update/places.js";
import { untilHealthy } from "../update/running-server.js";
import { goBack } from "../update/swap.js";
import { beginStart, endTrial, type Start } from "../update/trial.js";

/** @param report prints a message for the operator. @returns a function to call once the server listens, with the URL of its health check. */
export async function beginOwnTrial(
	report: (text: string) => void,
): Promise<(url: string) => void> {
	if (!isExecutable) return () => {};
	const places = placesOf(programFile);
	const start = await begun(() => beginStart(places));
	if (start.is === "usual") return () => {};
	const { attempt } = start;
	const leave = (why: string): never => {
		report(
			`${attempt.to} is rolled back: ${why}; the next start runs ${attempt.from}`,
		);
		process.exit(1);
	};
	if (start.is === "back") return leave(start.why);
	const late = setTimeout(() => {
		const why = `it did not become healthy within ${attempt.healthySeconds} s`;
		void goBack(places, why).then(() => leave(why));
	}, attempt.healthySeconds * 1000);
	return (url) => {
		const watch = { url, seconds: attempt.healthySeconds };
		void untilHealthy(places, watch).then(async (trouble) => {
			if (trouble !== undefined) return; // `late` will handle it
			clearTimeout(late);
			await endTrial(places);
		});
	};
}

async function begun(begin: () => Promise<Start>): Promise<Start> {
	try {
		return await begin();
	} catch (error) {
		if (isNotOurs(error)) return { is: "usual" };
		throw error;
	}
}
