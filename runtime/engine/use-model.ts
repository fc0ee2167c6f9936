/**
 * Switches the model while the appliance runs: the old engine works on until the new one has transcribed its probe clip correctly. If it does not, the
 * old one stays, and the same model may be requested again.
 *
 * INVARIANT: one switch at a time, in the order of the requests; the last model that works is the one in use.
 */

import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config/schema.js";
import type { LogPort } from "../log/log-port.js";
import type { Language } from "../text/languages.js";
import { type ConfiguredLane, engineSettings } from "./from-config.js";

interface Lanes {
	readonly live: ConfiguredLane;
	readonly batch: ConfiguredLane;
	readonly log: LogPort;
}

type ModelsInUse = Pick<Config["model"], "name" | "by_language">;

/** The result of a request for another model. */
export interface ModelOutcome {
	/** The models now in use. */
	readonly inUse: ModelsInUse;
	/** Their languages, if they were changed. */
	readonly languages: readonly Language[] | undefined;
}

export class ModelSwitch {
	readonly #lanes: Lanes;
	#inUse: ModelsInUse;
	#work: Promise<unknown> = Promise.resolve();

	constructor(lanes: Lanes, inUse: ModelsInUse) {
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
		const { name: model, by_language } = config.model;
		const wanted = { name: model, by_language };
		const { name: before } = this.#inUse;
		if (isSameModels(wanted, this.#inUse))
			return { inUse: this.#inUse, languages: undefined };
		try {
			await live.supervisor.replaceWith(engineSettings("live", config));
			await batch.supervisor.replaceWith(engineSettings("batch", config));
			this.#inUse = wanted;
			log.info({ model, before }, "switched to another model");
			const { identity } = live.supervisor.state;
			return { inUse: wanted, languages: identity?.languages };
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			log.error(
				{ model, before, reason },
				"the new model can't be used; keeping the previous one, reload to try again",
			);
			return { inUse: this.#inUse, languages: undefined };
		}
	}
}

export function isSameModels(one: ModelsInUse, other: ModelsInUse): boolean {
	return (
		one.name === other.name &&
		isDeepStrictEqual({ ...one.by_language }, { ...other.by_language })
	);
}
