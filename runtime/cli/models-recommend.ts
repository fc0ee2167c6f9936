/** `earshot models recommend`: the models that suit this device and its languages, and the commands that install them. */
import { availableParallelism, totalmem } from "node:os";
import { Command } from "commander";
import type { Config } from "../config/schema.js";
import type { CatalogueEntry } from "../models/package/catalogue-entry.js";
import { knownModels } from "../models/package/fetch-model.js";
import {
	type Choice,
	memoryOf,
	publishedError,
	recommend,
	referenceSpeed,
} from "../models/package/recommendation.js";
import type { Language } from "../text/languages.js";
import { catalogueOf } from "./models-catalogue.js";
import { catalogueLanguageOf, shortName } from "./models-search.js";
import { action, configFor, print } from "./verb.js";

type Options = { lang?: string };

const defaultLanguages = "zh,en,ja";
/** Of whisper-base on a core of a small board, times real time: cautious, since nobody wants a device that lags. */
const assumedSpeedOfCore = 2.5;
/** The share of the measured speed that `earshot tune` leaves to sessions. */
const tunedShare = 0.9;

export function recommendCommand(): Command {
	return new Command("recommend")
		.description("the models that suit this device, with the commands")
		.option(
			"--lang <list>",
			`lang_type values that are spoken here, separated by commas (default: ${defaultLanguages})`,
		)
		.action(action(recommendModels));
}

async function recommendModels(
	options: Options,
	command: Command,
): Promise<void> {
	const { values } = configFor(command);
	const wanted = (options.lang ?? defaultLanguages)
		.split(",")
		.map((it) => catalogueLanguageOf(it.trim()));
	const entries = await knownModels(catalogueOf(values), values.model.dir);
	// of a control group; 0 where there is none
	const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
	const memory = Math.min(totalmem(), limit);
	const memoryMegabytes = Math.round(memory / 1e6);
	const measured = tunedSpeed(values);
	const cores = availableParallelism();
	const inUse = entries.find((it) => it.name === values.model.name);
	const speed =
		measured === undefined
			? assumedSpeedOfCore * cores
			: referenceSpeed(measured, inUse);
	print(
		`${wanted.map(shortName).join(", ")} on ${cores} cores with ${memoryMegabytes} MB of memory; ${
			measured === undefined
				? "how fast they are was not measured yet (earshot tune), so they are taken for slow ones"
				: `${values.model.name} recognizes about ${measured.toFixed(0)} s of speech in a second`
		}`,
	);
	const { one, each, lighter } = recommend(entries, wanted, {
		memoryMegabytes,
		speed,
		mainMegabytes: inUse && memoryOf(inUse),
	});
	const isSeveral = wanted.length > 1;
	const main = inUse ?? { name: values.model.name };
	const show = (title: string, choice: Choice) =>
		describe(title, choice, wanted, main);
	if (one) show(isSeveral ? "one model for everything" : "the best", one);
	if (each) show(isSeveral ? "the best for each language" : "the best", each);
	if (lighter) show("a lighter one", lighter);
	if (!one && !each)
		print(
			`\n${isSeveral ? "no models of the catalogue for these languages fit" : "no model of the catalogue fits"} into this memory: stay with ${main.name}`,
		);
	else
		print(
			"\nerror rates are the publishers', on clean speech; memory and speed are estimates, which earshot tune replaces by measurements once a model is in use",
		);
}

/** @param main the model in use */
function describe(
	title: string,
	{ models, memoryMegabytes, speed }: Choice,
	wanted: readonly Language[],
	main: Pick<CatalogueEntry, "name" | "languages">,
) {
	print(
		`\n${title}: about ${Math.round(memoryMegabytes)} MB${speed === undefined ? "" : `, ${speed.toFixed(1)} times real time`}`,
	);
	const names = [...new Set([...models.values()].map((it) => it.name))];
	for (const language of new Set(wanted)) {
		const entry = models.get(language);
		print(
			`  ${shortName(language).padEnd(6)} ${entry ? expected(entry, language) : staying(main, language)}`,
		);
	}
	for (const name of names) print(`  earshot models add ${name}`);
	for (const line of uses(models, names, wanted)) print(`  ${line}`);
}

function expected(entry: CatalogueEntry, language: Language): string {
	const rate = publishedError(entry, language);
	const error = rate
		? `${rate.percent} % ${rate.measure} on ${rate.set}`
		: "no published error rate on the usual test set";
	return `${entry.name} (${Math.round(memoryOf(entry))} MB): ${error}`;
}

function staying(
	{ name, languages }: Pick<CatalogueEntry, "name" | "languages">,
	language: Language,
): string {
	return languages && !languages.includes(language)
		? `nothing fits beside ${name}`
		: `stays with ${name}: nothing else fits beside it`;
}

/** One model for all of them becomes the main one; otherwise that stays. */
function uses(
	models: Choice["models"],
	names: readonly string[],
	wanted: readonly string[],
): string[] {
	const [only] = names;
	if (names.length === 1 && wanted.every((it) => models.has(it)))
		return [`earshot models use ${only}`];
	return [...models].map(
		([language, { name }]) =>
			`earshot models use ${name} --lang ${shortName(language as Language)}`,
	);
}

/** What `earshot tune` measured: it sets the number of sessions by it. */
function tunedSpeed({ engine }: Config): number | undefined {
	return engine.live_slots > 0 ? engine.live_slots / tunedShare : undefined;
}
