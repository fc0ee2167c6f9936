/** `earshot models search|outdated`: what the catalogues have, and what of it is newer than what is installed. */
import { Command } from "commander";
import { findPackages } from "../models/package/catalogue.js";
import {
	type CatalogueEntry,
	isPinned,
} from "../models/package/catalogue-entry.js";
import { knownModels } from "../models/package/fetch-model.js";
import { parseLanguage } from "../session/languages.js";
import { type Language, languages } from "../text/languages.js";
import { catalogueOf } from "./models-catalogue.js";
import { printable, table } from "./table.js";
import { action, configFor, print, UsageError } from "./verb.js";

type SearchOptions = { lang?: string; kind?: string; json?: boolean };

export function searchCommand(): Command {
	return new Command("search")
		.description("list the models that can be added by name")
		.argument("[words...]", "only those whose name or description has them")
		.option("--lang <lang>", "only those for this lang_type, e.g. ja")
		.option("--json", "as JSON, with addresses and checksums")
		.action(action(search));
}

export function outdatedCommand(): Command {
	return new Command("outdated")
		.description("list the installed models of which there is a newer edition")
		.action(action(outdated));
}

async function search(
	words: readonly string[],
	{ lang, json }: SearchOptions,
	command: Command,
): Promise<void> {
	const { values } = configFor(command);
	const language = lang === undefined ? undefined : catalogueLanguageOf(lang);
	const all = await knownModels(catalogueOf(values), values.model.dir);
	const found = all.filter(
		(it) => serves(it, language) && words.every((word) => mentions(it, word)),
	);
	if (json) return print(JSON.stringify(found, null, 2));
	if (found.length === 0)
		return print(
			"no model of the catalogue fits; without words all are listed",
		);
	const installed = new Set(await installedNames(values.model.dir));
	for (const entry of found) {
		const mark = installed.has(entry.name) ? ", installed" : "";
		print(printable(`${entry.name}${mark}: ${entry.about ?? entry.source}`));
		for (const line of detailsOf(entry)) print(`  ${printable(line)}`);
	}
	print(
		"\nto add one: earshot models add NAME; which fits this device: earshot models recommend",
	);
}

async function outdated(_: unknown, command: Command): Promise<void> {
	const { values } = configFor(command);
	const entries = await knownModels(catalogueOf(values), values.model.dir);
	const { packages } = await findPackages(values.model.dir);
	const rows = packages.flatMap(({ manifest: { name, edition } }) => {
		const newest = entries.find((it) => it.name === name)?.edition;
		return edition !== undefined && newest !== undefined && newest > edition
			? [{ model: name, installed: edition, newest }]
			: [];
	});
	if (rows.length === 0) return print("no installed model has a newer edition");
	print(table(["model", "installed", "newest"], rows));
	for (const { model } of rows) print(`earshot models add ${model} --replace`);
}

function detailsOf(entry: CatalogueEntry): string[] {
	const { languages: served = [], megabytes, streaming, errors = [] } = entry;
	const { licence, licensing } = entry;
	const facts = [
		served.map(shortName).join(" "),
		...(megabytes === undefined ? [] : [`${Math.round(megabytes)} MB`]),
		...(streaming ? ["while it is spoken"] : []),
		...(entry.convert ? ["is converted on this device"] : []),
		...(isPinned(entry) ? [] : ["without a published checksum"]),
	];
	return [
		facts.filter((it) => it !== "").join(", "),
		...errors.map(
			(it) =>
				`${it.percent} % ${it.measure} on ${it.set} (${shortName(it.language)}; ${it.source})`,
		),
		`licence ${licence}${licensing ? `: ${licensing.summary}` : ""}`,
	];
}

function serves(
	{ languages: served = [] }: CatalogueEntry,
	language: Language | undefined,
): boolean {
	return language === undefined || served.includes(language);
}

function mentions({ name, about = "", source }: CatalogueEntry, word: string) {
	const text = `${name} ${about} ${source}`.toLowerCase();
	return text.includes(word.toLowerCase());
}

async function installedNames(directory: string): Promise<string[]> {
	const { packages } = await findPackages(directory);
	return packages.map(({ manifest }) => manifest.name);
}

/** @throws UsageError */
export function catalogueLanguageOf(name: string): Language {
	const language = parseLanguage(name);
	if (language) return language;
	throw new UsageError(
		`--lang: ${name} is not one of ${languages.join(", ")} (or ja, en, zh, ja-en, zh-en)`,
	);
}

const shortNames: Readonly<Record<string, string>> = {
	"zh-cmn-Hans-CN": "zh",
	"zh-cmn-Hans-CN-en-US": "zh-en",
	"ja-JP": "ja",
	"ja-JP-en-US": "ja-en",
	"en-US": "en",
};

/** As people type it. */
export function shortName(language: string): string {
	return shortNames[language] ?? language;
}
