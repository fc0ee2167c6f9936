/** `earshot models use|remove`: selects the package that the appliance uses, and removes one that is not in use. */
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Command } from "commander";
import { modelsOfServer } from "../appliance/models-note.js";
import type { Config } from "../config/schema.js";
import { exists } from "../disk/whole-file.js";
import { engineSettings } from "../engine/from-config.js";
import type { EngineSettings } from "../engine/protocol.js";
import { checkGraphs } from "../models/package/graph-check.js";
import {
	loadPackage,
	type ModelPackage,
	mayBePackage,
	PackageError,
} from "../models/package/model-package.js";
import { replacedName } from "../models/package/placing.js";
import { isPackageName } from "../models/package-name.js";
import { writeDropIn } from "./drop-in.js";
import { catalogueLanguageOf } from "./models-search.js";
import { type PackageInUse, packagesInUse } from "./packages-in-use.js";
import { openScratchFolder } from "./scratch-folder.js";
import { useOfSecondEar } from "./second-ear-use.js";
import { action, configFor, print } from "./verb.js";

const wakeWordsOnly =
	"it serves wake words only: texts are chosen with it for Whisper alone";
const dropInName = "60-model.toml";
const secondEarDropInName = "61-second-ear.toml";
const languagesDropInName = "62-languages.toml";

export function useCommand(): Command {
	return new Command("use")
		.description(
			"switch to another package, once it has recognized its probe clip; or use a second ear",
		)
		.argument("<name>", "its name (earshot models list)")
		.option(
			"--lang <list>",
			"only for these lang_type values, separated by commas; the model in use serves the others",
		)
		.action(action(use));
}

export function removeCommand(): Command {
	return new Command("remove")
		.description("remove a package that is not in use")
		.argument("<name>", "its name (earshot models list)")
		.action(action(remove));
}

async function use(
	name: string,
	{ lang }: { lang?: string },
	command: Command,
): Promise<void> {
	const { values } = configFor(command);
	const folder = folderOf(values, name);
	if (!(await exists(folder))) throw notInstalled(name, values);
	const opened = await loadPackage(folder);
	await checkGraphs(opened);
	if (lang !== undefined)
		return useForLanguages(opened, lang.split(","), values, command);
	if (opened.manifest.kind === "second-ear")
		return useSecondEar(name, values, command);
	const text = await transcribeProbe({
		...values,
		model: { ...values.model, name },
	});
	await writeDropIn(dropInName, "Written by earshot models use.", {
		"model.name": name,
	});
	const { values: now, origins } = configFor(command);
	if (now.model.name !== name)
		throw new PackageError(
			`${name} works, but model.name in ${origins.get("model.name")} is set to ${now.model.name}, which takes precedence`,
		);
	print(`${name} recognized: ${text}`);
	print(
		"it is used from the next start on; to switch a running appliance to it: systemctl reload earshot",
	);
}

/** It replaces what served these languages so far, and has to work on its own. */
async function useForLanguages(
	{ manifest: { name, languages } }: ModelPackage,
	wanted: readonly string[],
	values: Config,
	command: Command,
): Promise<void> {
	const chosen = wanted.map((it) => catalogueLanguageOf(it.trim()));
	const other = chosen.find((it) => !languages.includes(it));
	if (other !== undefined)
		throw new PackageError(
			`${name} does not support ${other}; it supports ${languages.join(", ")}`,
		);
	const { model } = values;
	const text = await transcribeProbe({
		...values,
		model: { ...model, name, by_language: {} },
	});
	const by_language = {
		...model.by_language,
		...Object.fromEntries(chosen.map((it) => [it, name])),
	};
	await writeDropIn(languagesDropInName, "Written by earshot models use.", {
		"model.by_language": by_language,
	});
	const { values: now, origins } = configFor(command);
	if (chosen.some((it) => now.model.by_language[it] !== name))
		throw new PackageError(
			`${name} works, but model.by_language is also set in ${origins.get("model.by_language")}, which takes precedence`,
		);
	print(`${name} recognized: ${text}`);
	print(
		`it is used for ${chosen.join(", ")} from the next start on; to switch a running appliance to it: systemctl reload earshot`,
	);
}

/** It is opened beside the recognizer, which still has to recognize its probe clip. */
async function useSecondEar(
	name: string,
	values: Config,
	command: Command,
): Promise<void> {
	const model = { ...values.model, second_ear: name };
	const use = await useOfSecondEar(model, name);
	if (use === "none")
		throw new PackageError(
			`${name} would not be opened: ${model.name} does not serve its language; nothing was changed`,
		);
	const text = await transcribeProbe({ ...values, model });
	await writeDropIn(secondEarDropInName, "Written by earshot models use.", {
		"model.second_ear": name,
	});
	const { values: now, origins } = configFor(command);
	if (now.model.second_ear !== name)
		throw new PackageError(
			`${name} works, but model.second_ear in ${origins.get("model.second_ear")} is set to ${JSON.stringify(now.model.second_ear)}, which takes precedence`,
		);
	print(`${model.name} with ${name} recognized: ${text}`);
	if (use === "wake words") print(wakeWordsOnly);
	print("it is used from the next start on: systemctl restart earshot");
}

/** @throws PackageError if it does not recognize its probe clip. */
async function transcribeProbe(config: Config): Promise<string> {
	const folder = openScratchFolder();
	try {
		const settings = engineSettings("live", config);
		const spoolFolder = folder.path;
		return await probeTextOf({ ...settings, spoolFolder, verify: true });
	} catch (cause) {
		if (cause instanceof PackageError) throw cause;
		// an error of the inference runtime while loading, or of the model while computing
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new PackageError(
			`${config.model.name} can't be used: ${why}; nothing was changed`,
			{ cause },
		);
	} finally {
		folder.remove();
	}
}

async function probeTextOf(settings: EngineSettings): Promise<string> {
	// loaded late: the other commands of this verb start in half the time without an engine
	const { openCore } = await import("../engine/child/open-core.js");
	const core = await openCore(settings);
	try {
		const { text, wordsMissing } = await core.probe();
		if (wordsMissing.length > 0)
			throw new PackageError(
				`${basename(settings.modelFolder)} does not recognize its own probe clip: ${wordsMissing.join(", ")} missing in ${JSON.stringify(text)}; nothing was changed`,
			);
		return text;
	} finally {
		await core.close();
	}
}

async function remove(
	name: string,
	_options: unknown,
	command: Command,
): Promise<void> {
	const { values } = configFor(command);
	const use = await useOf(name, values.model);
	if (use)
		throw new PackageError(`${name} is in use (${use}): it can't be removed`);
	const serving = modelsOfServer(values.state.dir);
	const served =
		serving?.dir === values.model.dir ? await useOf(name, serving) : undefined;
	if (served)
		throw new PackageError(
			`${name} is in use by the running server (${served}): restart it first, or reload it after another model.name or model.by_language`,
		);
	const folder = folderOf(values, name);
	const removing = join(dirname(folder), `.removing-${name}`);
	const replaced = join(dirname(folder), replacedName(name));
	const isLeft = (await exists(removing)) || (await exists(replaced));
	const isThere = await exists(folder);
	const wasInterrupted = !isThere && isLeft;
	if (!isThere && !isLeft) throw notInstalled(name, values);
	if (!wasInterrupted && !(await mayBePackage(folder)))
		throw new PackageError(
			`${folder} is not a model package of earshot: it is not removed`,
		);
	// first: without the package it would get its name back
	await rm(replaced, { recursive: true, force: true });
	if (!wasInterrupted) {
		await rm(removing, { recursive: true, force: true });
		await rename(folder, removing);
	}
	await rm(removing, { recursive: true, force: true });
	print(`removed ${name}`);
}

async function useOf(
	name: string,
	model: Config["model"],
): Promise<PackageInUse["use"] | undefined> {
	const used = await packagesInUse(model);
	return used.find((it) => it.name === name)?.use;
}

function notInstalled(name: string, { model }: Config): PackageError {
	return new PackageError(
		`${name} is not installed in ${model.dir}; what is: earshot models list`,
	);
}

function folderOf({ model }: Config, name: string): string {
	if (!isPackageName(name))
		throw new PackageError(`${JSON.stringify(name)} is not a package name`);
	return join(model.dir, name);
}
