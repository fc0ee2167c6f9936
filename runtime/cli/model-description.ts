/** How the options of `earshot models add` describe a model: what published graphs do not contain, or what the catalogue has under the name. */
import { type ModelKindName, modelKinds } from "../models/kinds.js";
import { parseLanguage } from "../session/languages.js";
import { languages as allLanguages } from "../text/languages.js";
import { ownCatalogue } from "./own-catalogue.js";
import { UsageError } from "./verb.js";

export interface ModelDescription {
	readonly name?: string;
	readonly kind?: string;
	readonly licence?: string;
	readonly source?: string;
	readonly languages?: string;
	readonly probe?: string;
	readonly probeLanguage?: string;
	readonly probeWords?: string;
}

/** Of these a package has its own, which have to match. */
const compared = ["name", "kind"] as const;
const ofPublished = [
	...(["licence", "source", "languages"] as const),
	...(["probe", "probeLanguage", "probeWords"] as const),
] as const;

/** A model of a catalogue is described there. @throws UsageError */
export function refuseDescription(options: ModelDescription): void {
	const flags = [...flagsIn(options, compared), ...flagsOfPublished(options)];
	if (flags.length > 0)
		throw new UsageError(
			`a model of a catalogue is described there: ${flags.join(", ")} can't be given`,
		);
}

/** The options that a package has no use for, as they were given. */
export function flagsOfPublished(options: ModelDescription): string[] {
	return flagsIn(options, ofPublished);
}

function flagsIn(
	options: ModelDescription,
	names: readonly (keyof ModelDescription)[],
): string[] {
	const given = names.filter((it) => options[it] !== undefined);
	return given.map(
		(it) => `--${it.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)}`,
	);
}

/** A model under a name of earshot's own catalogue is that model, also if it comes from elsewhere. */
export function descriptionIn(options: ModelDescription) {
	const { name, probe } = options;
	const entry = ownCatalogue().models.find((it) => it.name === name);
	const kind = options.kind === undefined ? entry?.kind : kindOf(options.kind);
	const licence = options.licence ?? entry?.licence;
	const source = options.source ?? entry?.source;
	const languages = options.languages
		? languagesOf(options.languages)
		: entry?.languages;
	return {
		...(name && { name }),
		...(kind && { kind }),
		...(licence && { licence }),
		...(source && { source }),
		...(languages && { languages }),
		...(entry?.edition && { edition: entry.edition }),
		...(probe && { probe: probeOf(probe, options) }),
	};
}

function kindOf(wanted: string): ModelKindName {
	const published = modelKinds.filter((it) => it.published);
	const found = published.find((it) => it.name === wanted);
	if (found) return found.name;
	throw new UsageError(
		`--kind: ${wanted} is not one of ${published.map((it) => it.name).join(", ")}`,
	);
}

function languagesOf(list: string): string[] {
	return list.split(",").map((name) => {
		const language = parseLanguage(name.trim());
		if (!language)
			throw new UsageError(
				`--languages: ${name.trim()} is not one of ${allLanguages.join(", ")}`,
			);
		return language;
	});
}

function probeOf(
	path: string,
	{ probeLanguage, probeWords }: ModelDescription,
) {
	const language = parseLanguage(probeLanguage ?? "");
	const words = (probeWords ?? "")
		.split(",")
		.map((it) => it.trim())
		.filter((it) => it !== "");
	if (!language || words.length === 0)
		throw new UsageError(
			"--probe also needs --probe-language and --probe-words",
		);
	return { path, language, words };
}
