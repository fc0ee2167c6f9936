/** Whether this device is idle enough for a measurement: the appliance has no recognition and no other program is busy. */
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/schema.js";
import { serverAddress } from "../server-address.js";

/** Share of all processors; above it more than housekeeping is running. */
const othersShareMax = 0.15;
const watchMs = 1000;
const answerMsMax = 2000;
const waitMsMax = 60_000;

/** @returns the reason why not, or undefined. */
export async function whyNotQuiet(
	{ server }: Pick<Config, "server">,
	watch = true,
): Promise<string | undefined> {
	const busy = await recognitionsAt(server);
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

/** 0 where no appliance answers: then none is disturbed. */
async function recognitionsAt(server: Config["server"]): Promise<number> {
	try {
		const response = await fetch(`${serverAddress(server)}/metrics`, {
			signal: AbortSignal.timeout(answerMsMax),
		});
		const lanes = (await response.text()).matchAll(
			/^earshot_lane_slots_busy\{[^}]*\} (\d+)$/gm,
		);
		return [...lanes].reduce((sum, [, count]) => sum + Number(count), 0);
	} catch {
		return 0;
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
