/** `earshot models list|verify|search|recommend|add|outdated|use|remove|convert`: the packages of `model.dir`, and those that may come there. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Command } from "commander";
import { modelKinds } from "../models/kinds.js";
import { bytesOf } from "../models/manifest.js";
import { findPackages } from "../models/package/catalogue.js";
import { checkGraphs } from "../models/package/graph-check.js";
import {
	loadPackage,
	type ModelPackage,
} from "../models/package/model-package.js";
import { verifyPackage } from "../models/package/verify.js";
import { isPackageName } from "../models/package-name.js";
import { addCommand } from "./models-add.js";
import { convertCommand } from "./models-convert.js";
import { recommendCommand } from "./models-recommend.js";
import { outdatedCommand, searchCommand } from "./models-search.js";
import { removeCommand, useCommand } from "./models-use.js";
import { packagesInUse } from "./packages-in-use.js";
import { openProgress } from "./progress.js";
import { action, configFor, print, verb } from "./verb.js";

const kindWidth = Math.max(...modelKinds.map((it) => it.name.length));

export function modelsCommand(): Command {
	const models = verb(
		"models",
		"find, add, list, verify, use, remove and convert models",
	);
	models
		.command("list")
		.description("list the installed packages")
		.option("--json", "as JSON")
		.action(action(list));
	models
		.command("verify")
		.description(
			"compare every file of the packages with its checksum, and check their graphs",
		)
		.argument(
			"[folder...]",
			"packages, by name or folder (default: all that are installed)",
		)
		.action(action(verify));
	models.addCommand(searchCommand().copyInheritedSettings(models));
	models.addCommand(recommendCommand().copyInheritedSettings(models));
	models.addCommand(addCommand().copyInheritedSettings(models));
	models.addCommand(outdatedCommand().copyInheritedSettings(models));
	models.addCommand(useCommand().copyInheritedSettings(models));
	models.addCommand(removeCommand().copyInheritedSettings(models));
	models.addCommand(convertCommand().copyInheritedSettings(models));
	return models;
}

async function list(
	options: { json?: boolean },
	command: Command,
): Promise<void> {
	const { model } = configFor(command).values;
	const { packages, broken } = await findPackages(model.dir);
	if (options.json) print(JSON.stringify(packages.map(asJson), null, 2));
	else {
		const inUse = (await packagesInUse(model)).map((it) => it.name);
		for (const opened of packages) print(asLine(opened, inUse));
		if (packages.length + broken.length === 0) warn(noneIn(model.dir));
	}
	for (const { why } of broken) complain(why);
}

async function verify(
	given: readonly string[],
	_options: unknown,
	command: Command,
): Promise<void> {
	const { dir } = configFor(command).values.model;
	const chosen =
		given.length > 0
			? given.map((it) => folderOf(it, dir))
			: await installedFolders(dir);
	if (chosen.length === 0) complain(noneIn(dir));
	for (const folder of chosen)
		try {
			const opened = await loadPackage(folder);
			const { name } = opened.manifest;
			const progress = openProgress(name, bytesOf(opened.manifest));
			try {
				await verifyPackage(opened, (bytes) => progress.advance(bytes));
			} finally {
				progress.close();
			}
			await checkGraphs(opened);
			print(
				`${name}: ${Object.keys(opened.manifest.files).length} files verified`,
			);
		} catch (error) {
			complain(error instanceof Error ? error.message : String(error));
		}
}

/** A name, as the other commands take it, unless there is a folder of that name here. */
function folderOf(given: string, directory: string): string {
	const isName = isPackageName(given) && !existsSync(given);
	return isName ? join(directory, given) : given;
}

async function installedFolders(directory: string): Promise<string[]> {
	const { packages, broken } = await findPackages(directory);
	return [...packages, ...broken].map(({ folder }) => folder).sort();
}

function asJson({ folder, manifest }: ModelPackage): object {
	const { name, kind, languages, licence, source, measured } = manifest;
	return { name, kind, folder, languages, licence, source, measured };
}

function asLine(opened: ModelPackage, inUse: readonly string[]): string {
	const { name, kind, languages, quantization, licence } = opened.manifest;
	const mark = inUse.includes(basename(opened.folder)) ? "*" : " ";
	const megabytes = `${(bytesOf(opened.manifest) / 1e6).toFixed(1)} MB`;
	return [
		`${mark} ${name.padEnd(20)}`,
		kind.padEnd(kindWidth),
		megabytes.padStart(9),
		(quantization ?? "-").padEnd(5),
		licence.padEnd(10),
		languages.join(" "),
	]
		.join(" ")
		.trimEnd();
}

function noneIn(directory: string): string {
	return `there are no packages in ${directory}; which suit this device: earshot models recommend`;
}

function complain(why: string): void {
	warn(why);
	process.exitCode = 1;
}

function warn(sentence: string): void {
	process.stderr.write(`earshot: ${sentence}\n`);
}
