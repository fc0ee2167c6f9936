/** Checks of what `serve` refuses to start with beyond single values: settings that don't fit each other or the models. */
import { languagesOfModels } from "../../appliance/languages-of-models.js";
import { openOutbound } from "../../appliance/outbound.js";
import { ConfigError } from "../../config/config-error.js";
import type { Config } from "../../config/schema.js";
import { CodedError } from "../../errors.js";
import { fleetSettings } from "../../fleet/settings.js";
import {
	captureSettings,
	microphoneLanguageOf,
	streamAccess,
	wakeOptions,
} from "../../microphones/from-config.js";
import { PackageError } from "../../models/package/model-package.js";
import {
	languageOptions,
	languageRules,
} from "../../session/wanted-language.js";
import type { Language } from "../../text/languages.js";
import { broken, type Finding, ok } from "./finding.js";
import { listeners } from "./ports.js";

/** @returns one finding for all that is wrong, or for nothing. */
export async function checkSettings(config: Config): Promise<Finding[]> {
	const about = "settings";
	const faults: string[] = [];
	const collect = (check: () => unknown) => {
		try {
			check();
		} catch (error) {
			if (!(error instanceof ConfigError || error instanceof CodedError))
				throw error;
			faults.push(error.message);
		}
	};
	collect(() => openOutbound(config, () => undefined));
	collect(() => fleetSettings(config.fleet));
	const languages = await languagesOf(config);
	for (const it of config.microphone) {
		collect(() => captureSettings(it, streamAccess(it, config.outbound)));
		collect(() => wakeOptions(it, config.model.second_ear));
		if (languages) collect(() => microphoneLanguageOf(it, languages));
	}
	const { default_language, languages: pairs } = config.endpoints;
	const rules = languageRules(default_language, pairs);
	for (const name of listeners) {
		const { enabled, language } = config[name];
		if (enabled && languages)
			collect(() =>
				languageOptions(language, languages, rules, `${name}.language`),
			);
	}
	if (faults.length === 0) return [ok(about, "serve accepts them")];
	const todo = "correct it: earshot config show names the file of each value";
	return faults.map((it) => broken(about, it, todo));
}

/** Undefined without a main model, which has a check of its own. */
async function languagesOf({
	model,
}: Config): Promise<readonly Language[] | undefined> {
	try {
		return await languagesOfModels(model);
	} catch (error) {
		if (error instanceof PackageError) return undefined;
		throw error;
	}
}
