/** `earshot models use|remove`: which package the appliance hears with, and that one is not needed any more. */
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Command } from "commander";
import type { Config } from "../config/schema.js";
import { openCore } from "../engine/child/open-core.js";
import { engineSettings } from "../engine/from-config.js";
import type { EngineSettings } from "../engine/protocol.js";
import { checkGraphs } from "../models/package/graph-check.js";
import { loadPackage, PackageError } from "../models/package/model-package.js";
import { writeDropIn } from "./drop-in.js";
import { action, configFor, print } from "./verb.js";

const dropInName = "60-model.toml";
/** Every engine needs it. */
const voiceActivity = "silero-vad";

export function useCommand(): Command {
	return new Command("use")
		.description(
			"switch to another package, once it has recognized its probe clip",
		)
		.argument("<name>", "its name (earshot models list)")
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
	_options: unknown,
	command: Command,
): Promise<void> {
	const { values } = configFor(command);
	await checkGraphs(await loadPackage(folderOf(values, name)));
	const heard = await transcribeProbe({
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
	print(`${name} recognized: ${heard}`);
	print(
		"it is used after the next start; a running appliance switches to it with: systemctl reload earshot",
	);
}

/** @throws PackageError when it does not hear it right. */
async function transcribeProbe(config: Config): Promise<string> {
	// an engine empties its folder: a running appliance's is in use
	const spoolFolder = await mkdtemp(join(tmpdir(), "earshot-"));
	try {
		const settings = engineSettings("live", config);
		return await probeTextOf({ ...settings, spoolFolder, verify: true });
	} catch (cause) {
		if (cause instanceof PackageError) throw cause;
		// the runtime that loads it, or the model while it computes
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new PackageError(
			`${config.model.name} can't be used: ${why}; nothing was changed`,
			{ cause },
		);
	} finally {
		await rm(spoolFolder, { recursive: true, force: true });
	}
}

async function probeTextOf(settings: EngineSettings): Promise<string> {
	const core = await openCore(settings);
	try {
		const { text: heard, wordsMissing } = await core.probe();
		if (wordsMissing.length > 0)
			throw new PackageError(
				`${basename(settings.modelFolder)} does not recognize its own probe clip: ${wordsMissing.join(", ")} missing in ${JSON.stringify(heard)}; nothing was changed`,
			);
		return heard;
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
	const { model } = values;
	if ([model.name, model.speakers, voiceActivity].includes(name))
		throw new PackageError(`${name} is in use: it can't be removed`);
	const folder = folderOf(values, name);
	await loadPackage(folder); // a folder that is no package is somebody else's
	const going = join(dirname(folder), `.removing-${name}`);
	await rm(going, { recursive: true, force: true });
	await rename(folder, going);
	await rm(going, { recursive: true });
	print(`${name} is removed`);
}

function folderOf({ model }: Config, name: string): string {
	if (!/^[a-z0-9][a-z0-9._-]*$/.test(name))
		throw new PackageError(`${JSON.stringify(name)} is not a package name`);
	return join(model.dir, name);
}
