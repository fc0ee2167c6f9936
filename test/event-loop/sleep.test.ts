import { getEventListeners } from "node:events";
import t from "tap";
import { sleepUnlessAborted } from "../../runtime/event-loop/sleep.js";

const anHour = 3_600_000;

t.test("a pause leaves no listener on a signal that outlives it", async (t) => {
	const { signal } = new AbortController();
	for (let i = 0; i < 20; i++) await sleepUnlessAborted(0, signal);
	t.equal(getEventListeners(signal, "abort").length, 0);
});

t.test("a signal ends a pause", async (t) => {
	const controller = new AbortController();
	const pause = sleepUnlessAborted(anHour, controller.signal);
	controller.abort();
	await pause;
	t.equal(getEventListeners(controller.signal, "abort").length, 0);
});

t.test("a pause that begins after the signal is none", async () => {
	await sleepUnlessAborted(anHour, AbortSignal.abort());
});
