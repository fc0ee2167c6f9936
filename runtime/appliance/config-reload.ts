/** The configuration in force, and its reload while the appliance runs. */

import type { Api } from "../api/api.js";
import { planReload, type Reload } from "../config/reload.js";
import type { Config } from "../config/schema.js";
import { isSameModels, type ModelSwitch } from "../engine/use-model.js";
import type { Logger } from "../log/log.js";
import type { Microphones } from "../microphones/microphones.js";
import type { Outbound } from "../outbound/outbound.js";
import type { Language } from "../text/languages.js";
import type { Https } from "./https.js";
import { applyAllowList } from "./outbound.js";

export interface ConfigReloadParts {
	readonly config: Config;
	/** @throws ConfigError */
	readonly readConfig: () => Config;
	readonly outbound: Outbound;
	readonly api: Pick<Api, "reconfigure">;
	/** Reads the operator's certificate again. */
	readonly https: Pick<Https, "refresh"> | undefined;
	readonly microphones: Pick<Microphones, "refresh" | "renewAll">;
	readonly model: Pick<ModelSwitch, "use">;
	/** Notes the models in use for commands. */
	readonly noteModels: (model: Config["model"]) => Promise<void>;
	/** Languages of the model in use; the array is updated in place when the model changes. */
	readonly languages: Language[];
	readonly log: Logger;
}

/** Engines are started anew for these, beside the old ones. */
const modelKeys = ["model.name", "model.by_language"];

export class ConfigReload {
	readonly #parts: ConfigReloadParts;
	#config: Config;

	constructor(parts: ConfigReloadParts) {
		this.#parts = parts;
		this.#config = parts.config;
	}

	/** Currently in force. */
	get config(): Config {
		return this.#config;
	}

	/** With what is in force at the start. */
	async start(): Promise<void> {
		await this.#noteModels();
	}

	/** Reads the configuration again, applies what needs no restart, and logs the rest. @throws ConfigError: nothing has changed then. */
	reload(): Reload {
		const { readConfig, outbound, api, log } = this.#parts;
		const plan = planReload(this.#config, readConfig());
		const { values, changed, needRestart } = plan;
		applyAllowList(outbound, values);
		api.reconfigure(values);
		log.level = values.log.level;
		void this.#parts.https?.refresh();
		this.#config = values;
		this.#parts.microphones.refresh();
		if (changed.some((it) => modelKeys.includes(it)))
			void this.#useModel(values);
		log.info({ changed }, "configuration reloaded");
		if (needRestart.length > 0)
			log.warn({ needRestart }, "changed settings take effect after a restart");
		return plan;
	}

	async #useModel(wanted: Config): Promise<void> {
		const { inUse, languages } = await this.#parts.model.use(wanted);
		const known = this.#parts.languages;
		if (languages) {
			known.splice(0, known.length, ...languages);
			this.#parts.microphones.renewAll();
		}
		// a failed switch is not in force, so that the next reload retries it
		const { model: current } = this.#config;
		if (isSameModels(current, wanted.model))
			this.#config = { ...this.#config, model: { ...current, ...inUse } };
		await this.#noteModels();
	}

	/** A server works without: a command then knows only of the configuration. */
	async #noteModels(): Promise<void> {
		const { noteModels, log } = this.#parts;
		await noteModels(this.#config.model).catch((error: Error) =>
			log.warn({ reason: error.message }, "models in use not noted"),
		);
	}
}
