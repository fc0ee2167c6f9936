/** What a page costs its browser's main thread, in processor time: other load on the machine does not count. */
import type { Page } from "playwright-core";

/** @returns reads the milliseconds so far; only the differences of one site's pages mean something. */
export async function mainThreadMs(page: Page): Promise<() => Promise<number>> {
	const session = await page.context().newCDPSession(page);
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	return async () => {
		const { metrics } = await session.send("Performance.getMetrics");
		const task = metrics.find(({ name }) => name === "TaskDuration");
		return (task?.value ?? Number.NaN) * 1000;
	};
}
