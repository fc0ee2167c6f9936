/** Whether this device is idle enough for a measurement: the appliance has no recognition and no other program is busy. */
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/schema.js";
import { serverAddress } from "../server-address.js";

/** Share of all processors; above it more than housekeeping is running. */
const othersShareMax = 0.15;
const watchMs = 1000;
/** One that takes longer has other work. */
const answerMsDefault = 10_000;
const waitMsMax = 60_000;

/** @returns the reason why not, or undefined. */
export async function whyNotQuiet(
	{ server }: Pick<Config, "server">,
	watch = true,
	answerMsMax = answerMsDefault,
): Promise<string | undefined> {
	const busy = await recognitionsAt(server, answerMsMax);
	if (busy === "no answer")
		return `the appliance did not answer within ${answerMsMax / 1000} s`;
	if (busy > 0)
		return `the appliance is running ${busy} ${busy === 1 ? "recognition" : "recognitions"}`;
	const share = watch ? await othersShare() : 0;
	return share > othersShareMax
		? `other programs use ${Math.round(100 * share)} % of the processor`
		: undefined;
}

/** For a measurement in progress: the appliance has priority. @throws Error with the reason, when it takes too long. */
export async function untilQuiet(
	config: Pick<Config, "server">,
): Promise<void> {
	const since = performance.now();
	for (;;) {
		const why = await whyNotQuiet(config, false);
		if (why === undefined) return;
		if (performance.now() - since > waitMsMax) throw new Error(why);
		await sleep(watchMs);
	}
}

/** 0 where no appliance runs: then none is disturbed. */
async function recognitionsAt(
	server: Config["server"],
	answerMsMax: number,
): Promise<number | "no answer"> {
	try {
		const response = await fetch(`${serverAddress(server)}/metrics`, {
			signal: AbortSignal.timeout(answerMsMax),
		});
		const lanes = (await response.text()).matchAll(
			/^earshot_lane_slots_busy\{[^}]*\} (\d+)$/gm,
		);
		return [...lanes].reduce((sum, [, count]) => sum + Number(count), 0);
	} catch (error) {
		return (error as Error).name === "TimeoutError" ? "no answer" : 0;
	}
}

/** Share of all processors used by others, over a second. */
async function othersShare(): Promise<number> {
	const before = processorTimes();
	const own = process.cpuUsage();
	await sleep(watchMs);
	const after = processorTimes();
	const { user, system } = process.cpuUsage(own);
	const all = after.all - before.all;
	const others = after.busy - before.busy - (user + system) / 1000;
	return all > 0 ? Math.max(0, others / all) : 0;
}

/** Milliseconds, of all processors together. */
function processorTimes(): { busy: number; all: number } {
	let busy = 0;
	let idle = 0;
	for (const { times } of cpus()) {
		busy += times.user + times.nice + times.sys + times.irq;
		idle += times.idle;
	}
	return { busy, all: busy + idle };
}
