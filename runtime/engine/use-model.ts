/**
 * Another model while the appliance runs: the engine with the one before works on until the new one has heard its probe clip right; where it does not, the
 * one before stays.
 */
import type { Config } from "../config/schema.js";
import { type ConfiguredLane, engineSettings } from "./from-config.js";
import type { EngineLog } from "./log-port.js";

interface Lanes {
	readonly live: ConfiguredLane;
	readonly batch: ConfiguredLane;
	readonly log: EngineLog;
}

/** Never rejects. @param config with the new model's name. */
export async function useModel(
	config: Config,
	before: string,
	{ live, batch, log }: Lanes,
): Promise<void> {
	const model = config.model.name;
	try {
		await live.supervisor.replaceWith(engineSettings("live", config));
		await batch.supervisor.replaceWith(engineSettings("batch", config));
		log.info({ model, before }, "another model is used");
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		log.error(
			{ model, before, reason },
			"the new model does not hear: the one before stays",
		);
	}
}
