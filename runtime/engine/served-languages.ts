/**
 * Which of several models serves a language: the one that is named for it, or else the main one. For mixed speech, too, or else another one that knows both
 * languages, or else the models of its two languages, run by run.
 */
import {
	languages as allLanguages,
	type Language,
	type LanguagePair,
	pairOf,
} from "../text/languages.js";

/** A model beside the main one. */
export interface ServingModel {
	/** For which it is named. */
	readonly named: readonly Language[];
	/** Which it supports. */
	readonly knows: readonly Language[];
}

export interface ServingModels<Model extends ServingModel> {
	/** Languages of the main model. */
	readonly main: readonly Language[];
	readonly others: readonly Model[];
}

/** @returns the model beside the main one; undefined where the main one serves the language, or several do, or none. */
export function otherServing<Model extends ServingModel>(
	language: Language,
	{ main, others }: ServingModels<Model>,
): Model | undefined {
	const named = others.find((it) => it.named.includes(language));
	if (named || !pairOf(language) || main.includes(language)) return named;
	return others.find(({ knows }) => knows.includes(language));
}

/** @returns the two languages of mixed speech that two models recognize run by run. */
export function pairByRuns(
	language: Language,
	models: ServingModels<ServingModel>,
): LanguagePair | undefined {
	const pair = pairOf(language);
	if (!pair || models.main.includes(language)) return undefined;
	if (otherServing(language, models)) return undefined;
	const [eastern, english] = pair.map(
		(it) =>
			otherServing(it, models) ??
			(models.main.includes(it) ? "main" : undefined),
	);
	return eastern && english && eastern !== english ? pair : undefined;
}

/** @returns all that are served, in the order of their declaration. */
export function servedLanguages(
	models: ServingModels<ServingModel>,
): readonly Language[] {
	return allLanguages.filter(
		(it) =>
			models.main.includes(it) ||
			otherServing(it, models) ||
			pairByRuns(it, models),
	);
}
