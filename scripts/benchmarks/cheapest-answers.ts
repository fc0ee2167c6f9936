/** How long the cheapest request of all waits for its answer: it touches no engine and no file. */
import { setTimeout as pause } from "node:timers/promises";
import type { Server } from "./server.js";

const everyMs = 25;

/** Asks again and again. @returns seconds of each answer. */
export async function timeCheapestAnswers(
	server: Server,
	until: number,
): Promise<number[]> {
	const seconds: number[] = [];
	while (performance.now() < until) {
		seconds.push((await server.get("/no-such-path")).seconds);
		await pause(everyMs);
	}
	return seconds;
}
