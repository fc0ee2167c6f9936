/** Logs what a new engine does without: processors that it was to use and kernels that its processor ought to run. */
import type { LogPort } from "../log/log-port.js";
import type { EngineIdentity, LaneName } from "./protocol.js";

export function warnOfRefusals(
	log: LogPort,
	lane: LaneName,
	{ processors, kernels }: EngineIdentity,
): void {
	for (const { graph, used, refused } of processors)
		for (const { processor, why } of refused)
			log.warn(
				{ lane, graph, used, processor, why },
				"a processor is not used",
			);
	for (const { name, instructions, refused } of kernels)
		for (const { instructions: better, why, isFault } of refused)
			if (isFault)
				log.warn(
					{ lane, kernel: name, used: instructions ?? "none", better, why },
					"a kernel is not used",
				);
}
