/** The cores of an engine: taken before any model is opened, since the threads of ONNX Runtime stay where they were started. */
import { runOn } from "../../../drivers/cpus/affinity.js";
import { chooseCpus } from "../../../drivers/cpus/choice.js";
import { formatCpus } from "../../../drivers/cpus/cpu-list.js";
import type { CoreSettings } from "../protocol.js";

export interface TakenCores {
	/** As wanted; where cores are left out, not more than the others. */
	readonly threads: number;
	/** Lists such as 4-7; empty: none. */
	readonly cpus: string;
	readonly leftOut: string;
	/** They could not be chosen: all are used. */
	readonly whyNot?: string;
}

/** For the calling thread and what it starts. @throws Error, if the configuration names cores that can't be used */
export function takeCores({
	cores = "all",
	threads,
}: Pick<CoreSettings, "cores" | "threads">): TakenCores {
	if (cores === "all") return { threads, cpus: "", leftOut: "" };
	try {
		const { cpus, leftOut } = chooseCpus(cores);
		if (leftOut.length === 0)
			return { threads, cpus: formatCpus(cpus), leftOut: "" };
		runOn(cpus);
		return {
			threads: Math.min(threads || cpus.length, cpus.length),
			cpus: formatCpus(cpus),
			leftOut: formatCpus(leftOut),
		};
	} catch (cause) {
		if (cores !== "auto") throw cause;
		const whyNot = cause instanceof Error ? cause.message : String(cause);
		return { threads, cpus: "", leftOut: "", whyNot };
	}
}
