/** Which cores engines run on, where they don't run on all. */
import type { CpuChoice } from "../../../drivers/cpus/choice.js";
import { formatCpus } from "../../../drivers/cpus/cpu-list.js";
import { broken, type Finding, ok } from "./finding.js";

/** @param choose for the configured `engine.cores` */
export function checkCores(choose: () => CpuChoice): Finding {
	const about = "cores";
	try {
		const { cpus, leftOut, leftOutSpeed } = choose();
		const why =
			leftOutSpeed === undefined
				? "engine.cores does not name them"
				: `${Math.round(100 * leftOutSpeed)} % as fast`;
		return ok(
			about,
			leftOut.length === 0
				? formatCpus(cpus)
				: `${formatCpus(cpus)}; not ${formatCpus(leftOut)}: ${why}`,
		);
	} catch (error) {
		return broken(
			about,
			(error as Error).message,
			"set engine.cores to auto, all, or cores of this list",
		);
	}
}
