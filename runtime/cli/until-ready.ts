/** Says at a terminal how a server's start goes on, until its engine is ready. */
import { setTimeout as sleep } from "node:timers/promises";
import type { StartState } from "../appliance.js";

const tryAgainMs = 1000;

/**
 * Retries without limit: an engine that dies is started again and again.
 * @param state how far the engine is. Throws an Error with the reason of its last failure.
 * @param pauseMs between two times.
 */
export async function untilReady(
	state: () => Promise<StartState>,
	show: (text: string) => void,
	pauseMs = tryAgainMs,
): Promise<void> {
	let lastShown: string | undefined;
	const showOnce = (text: string) => {
		if (text !== lastShown) show(text);
		lastShown = text;
	};
	for (;;) {
		try {
			const now = await state();
			if (now === "loading") showOnce("still loading the model");
			if (now === "ready") return showOnce("ready");
		} catch (error) {
			showOnce(`not ready: ${(error as Error).message}; see the log`);
		}
		await sleep(pauseMs);
	}
}
