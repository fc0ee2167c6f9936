/** From the navigation until Live's button "Speak" is there and its main thread is free to answer, on a processor slowed four times. */
import type { Page } from "playwright-core";
import { judged, type Measurement } from "../report.js";
import { median } from "../statistics.js";
import { mainThreadMs } from "./main-thread.js";

const slowdown = 4;
const msMax = 1000;

export async function interactive(
	page: Page,
	url: string,
	loads: number,
): Promise<readonly Measurement[]> {
	const session = await page.context().newCDPSession(page);
	await session.send("Network.enable");
	await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
	const measurements: Measurement[] = [];
	for (const cacheDisabled of [true, false]) {
		await session.send("Network.setCacheDisabled", { cacheDisabled });
		const taken: number[] = [];
		for (let i = 0; i < loads; i++) {
			await page.goto("about:blank");
			await page.goto(`${url}/console/#/live`, { waitUntil: "commit" });
			taken.push(await untilSpeak(page));
		}
		const slowest = Math.max(...taken);
		measurements.push({
			what: `console: Live interactive, processor slowed ${slowdown} times, ${cacheDisabled ? "first visit" : "later visits"}, ${loads} loads, median / longest`,
			earshot: `${median(taken).toFixed(0)} / ${slowest.toFixed(0)} ms`,
			goal: judged(`< ${msMax} ms`, slowest < msMax),
		});
	}
	await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
	await session.send("Network.setCacheDisabled", { cacheDisabled: true });
	measurements.push(await inProcessorTime(page, url, loads));
	await session.send("Network.setCacheDisabled", { cacheDisabled: false });
	return measurements;
}

/** Nothing in it waits for a network: on a quiet machine, the time of a first visit is this and what the device takes to answer. */
async function inProcessorTime(
	page: Page,
	url: string,
	loads: number,
): Promise<Measurement> {
	const used = await mainThreadMs(page);
	const taken: number[] = [];
	for (let i = 0; i < loads; i++) {
		await page.goto(`${url}/healthz`); // of the same process
		const before = await used();
		await page.goto(`${url}/console/#/live`, { waitUntil: "commit" });
		await untilSpeak(page);
		taken.push(((await used()) - before) * slowdown);
	}
	const slowest = Math.max(...taken);
	return {
		what: `console: the same in processor time of the page's main thread, ${slowdown} times, median / longest`,
		earshot: `${median(taken).toFixed(0)} / ${slowest.toFixed(0)} ms`,
		goal: judged(`< ${msMax} ms`, slowest < msMax),
	};
}

/** @returns milliseconds since the navigation. */
function untilSpeak(page: Page): Promise<number> {
	return page.evaluate(`new Promise((done) => {
		const check = () => document.querySelector(".speak button:not(:disabled)")
			? setTimeout(() => done(performance.now())) : requestAnimationFrame(check);
		check();
	})`);
}
