/**
 * `earshot serve` while an update of it is on trial, where no service manager looks after that (systemd/earshot.service does): too many starts, or too long
 * without health, and the version before takes the program's place; whoever starts the server again starts that one.
 */
import { isExecutable, programFile } from "../config/own-program.js";
import { isNotOurs, placesOf } from "../update/places.js";
import { untilHealthy } from "../update/running-server.js";
import { goBack } from "../update/swap.js";
import { beginStart, endTrial, type Start } from "../update/trial.js";

/** @param report what the operator must read. @returns to be called once the server listens, with the address of its health. */
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
			`${attempt.to} is rolled back: ${why}; the next start is one of ${attempt.from}`,
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
			if (trouble !== undefined) return; // `late` is at hand
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
