/** Whether this device has time for a measurement: nobody speaks to the appliance, and nobody else computes. */
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/schema.js";

/** Of the whole processor: more than housekeeping. */
const othersShareMax = 0.15;
const watchMs = 1000;
const answerMsMax = 2000;
const waitMsMax = 60_000;

/** @returns why not, or undefined. */
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

/** For whoever has begun: the appliance goes first. @throws Error that says why not, when it takes too long. */
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
async function recognitionsAt({
	host,
	port,
}: Config["server"]): Promise<number> {
	const at = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
	const shown = at.includes(":") ? `[${at}]` : at;
	try {
		const response = await fetch(`http://${shown}:${port}/metrics`, {
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

/** Of all processors, for a second. */
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
