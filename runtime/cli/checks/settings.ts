/** Checks of what `serve` refuses to start with beyond single values: settings that don't fit each other or the models. */
import { languageRulesOf } from "../../api/language-rules.js";
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
import { languageOptions } from "../../session/wanted-language.js";
import type { Language } from "../../text/languages.js";
import { broken, type Finding, ok, warning } from "./finding.js";
import { listeners } from "./ports.js";

/** @returns one finding for all that is wrong, or for nothing. @param environment of whoever checks */
export async function checkSettings(
	config: Config,
	environment: NodeJS.ProcessEnv = process.env,
): Promise<Finding[]> {
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
	const unseen = hasUnseenKey(config, environment);
	const fleet = unseen ? { ...config.fleet, cert_file: "" } : config.fleet;
	collect(() => fleetSettings(fleet));
	const languages = await languagesOf(config);
	for (const it of config.microphone) {
		collect(() => captureSettings(it, streamAccess(it, config.outbound)));
		collect(() => wakeOptions(it, config.model.second_ear));
		if (languages) collect(() => microphoneLanguageOf(it, languages));
	}
	const rules = languageRulesOf(config.endpoints);
	for (const name of listeners) {
		const { enabled, language } = config[name];
		if (enabled && languages)
			collect(() =>
				languageOptions(language, languages, rules, `${name}.language`),
			);
	}
	const todo = "correct it: earshot config show names the file of each value";
	const findings = faults.map((it) => broken(about, it, todo));
	if (unseen)
		findings.push(
			warning(
				about,
				"fleet.cert_file has no key that can be seen here",
				"nothing, if its key is the credential earshot.fleet.key, which only the service sees; else set fleet.key_file",
			),
		);
	return findings.length > 0 ? findings : [ok(about, "serve accepts them")];
}

/** A secret of the service manager is not there for whoever runs `earshot doctor`. */
function hasUnseenKey(
	{ fleet }: Config,
	environment: NodeJS.ProcessEnv,
): boolean {
	const { cert_file, key, key_file } = fleet;
	const hasCredentials = Boolean(environment.CREDENTIALS_DIRECTORY);
	return !hasCredentials && cert_file !== "" && key === "" && key_file === "";
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
