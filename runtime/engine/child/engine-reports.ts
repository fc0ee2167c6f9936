/** What an engine reports while it starts and works: the processor that it tries, and for the log what it does without. */
import type { TakenCores } from "./cores.js";
import { describe, send, sendAndWait } from "./main-channel.js";
import type { EngineReports } from "./open-core.js";

/** Each is counted, and the first described: what fails for one segment mostly fails for all. */
export class RefinementFailures {
	#count = 0;

	get count(): number {
		return this.#count;
	}

	add(error: unknown): void {
		this.#count++;
		const message =
			"the second ear failed for a segment: the recognizer's own text stands; more failures are only counted, in /metrics";
		const fields = { cause: describe(error) };
		if (this.#count === 1) send({ is: "log", level: "error", message, fields });
	}
}

/** The reports of an engine's models. */
export function reportsTo(failures: RefinementFailures): EngineReports {
	return {
		onMissing: (error) =>
			send({
				is: "log",
				level: "warn",
				message: "failed to load another copy of the recognizer",
				fields: { reason: error.message },
			}),
		onTry: (processor) => sendAndWait({ is: "tries", processor }),
		onRefinementFailed: (error) => failures.add(error),
		onModelFailed: (model, error) =>
			send({
				is: "log",
				level: "error",
				message:
					"the model for some languages failed: the main model serves them where it can, until the next start",
				fields: { model, cause: describe(error) },
			}),
	};
}

/** @param whyNot undefined: the priority was lowered as the settings want it. */
export function reportPriority(whyNot: string | undefined): void {
	if (whyNot !== undefined)
		send({
			is: "log",
			level: "info",
			message:
				"background scheduling is not available; this engine only has a lower priority",
			fields: { reason: whyNot },
		});
}

export function reportCores({ cpus, leftOut, whyNot }: TakenCores): void {
	if (whyNot !== undefined)
		send({
			is: "log",
			level: "warn",
			message: "failed to choose cores; the engine runs on all",
			fields: { reason: whyNot },
		});
	else if (leftOut !== "")
		send({
			is: "log",
			level: "info",
			message: "some cores are not used",
			fields: { cores: cpus, leftOut },
		});
}
