/**
 * Another model while the appliance runs: the engine with the one before works on until the new one has heard its probe clip right; where it does not, the
 * one before stays, and the same may be asked for again.
 *
 * INVARIANT: one at a time, in the order they were asked for; the last one that hears is the one that is used.
 */

import type { Config } from "../config/schema.js";
import type { Language } from "../text/languages.js";
import { type ConfiguredLane, engineSettings } from "./from-config.js";
import type { EngineLog } from "./log-port.js";

interface Lanes {
	readonly live: ConfiguredLane;
	readonly batch: ConfiguredLane;
	readonly log: EngineLog;
}

/** What became of a wish. */
export interface ModelOutcome {
	/** In use now. */
	readonly model: string;
	/** Of that model, where it is another one. */
	readonly languages: readonly Language[] | undefined;
}

export class ModelSwitch {
	readonly #lanes: Lanes;
	#inUse: string;
	#work: Promise<unknown> = Promise.resolve();

	constructor(lanes: Lanes, inUse: string) {
		this.#lanes = lanes;
		this.#inUse = inUse;
	}

	/** Never rejects. @param config with the new model's name. */
	use(config: Config): Promise<ModelOutcome> {
		const outcome = this.#work.then(() => this.#try(config));
		this.#work = outcome;
		return outcome;
	}

	async #try(config: Config): Promise<ModelOutcome> {
		const { live, batch, log } = this.#lanes;
		const { name: model } = config.model;
		const before = this.#inUse;
		if (model === before) return { model, languages: undefined };
		try {
			await live.supervisor.replaceWith(engineSettings("live", config));
			await batch.supervisor.replaceWith(engineSettings("batch", config));
			this.#inUse = model;
			log.info({ model, before }, "another model is used");
			return { model, languages: live.supervisor.state.identity?.languages };
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			log.error(
				{ model, before, reason },
				"the new model can't be used; keeping the previous one, reload to try again",
			);
			return { model: before, languages: undefined };
		}
	}
}
