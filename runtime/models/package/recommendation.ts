/**
 * Which models fit a device: two choices, one model for all languages and the best for each; where that is the same model, a lighter one. Pure.
 *
 * Error rates of different test sets can't be compared, so each language has one reference set; a model without a published rate on it is taken for a
 * mediocre one. Speed is that of the model in use, as measured on the device, scaled by the number of multiplications: an estimate.
 */
import type { CatalogueEntry } from "./catalogue-entry.js";

export interface Device {
	readonly memoryMegabytes: number;
	/** Seconds of speech that the reference model recognizes in a second; undefined: not measured (earshot tune). */
	readonly speed: number | undefined;
	/** Of the engine of the model in use; default: whisper-base's. */
	readonly mainMegabytes?: number | undefined;
}

export interface Choice {
	/** The entry for each language, in the order asked; a language without one stays with the model in use. */
	readonly models: ReadonlyMap<string, CatalogueEntry>;
	/** Of all engines with these models, and of the model in use, which stays open beside several. */
	readonly memoryMegabytes: number;
	/** Times real time of the slowest; undefined where it was not measured. */
	readonly speed: number | undefined;
}

export interface Recommendation {
	/** Absent: no single model fits and serves all languages. */
	readonly one: Choice | undefined;
	/** Absent where it would be the same, or none. */
	readonly each: Choice | undefined;
	/** At most half of the work of `one`; only where `each` is absent. */
	readonly lighter: Choice | undefined;
}

/** The set on which most publishers report, by language. */
export const referenceSets: Readonly<Record<string, string>> = {
	"zh-cmn-Hans-CN": "AISHELL-1 test",
	"ja-JP": "Common Voice test",
	"en-US": "LibriSpeech test-clean",
};

/** Billions of multiplications of whisper-base for a second of speech, beam 5: what speeds are scaled from. */
const referenceGigaMultiplications = 2;
/** The rest is for the system, the main process and files. */
const memoryShare = 0.6;
/** Of models without a published rate, per cent. */
const presumedError = 20;
/** Added to that where the licence has conditions. */
const licenceDoubt = 5;
/** Of a language that stays with the model in use: more than any other, so as few as possible do. */
const stayingError = 1000;
/** A final is expected soon after the end of its sentence. */
const speedMin = 2;
/** An engine without a model, and what a run needs besides the weights. */
const engineMegabytes = 150;
const runShare = 0.3;
const whisperBaseMegabytes = 77;

/**
 * What another model's speed would be for the reference model (`Device.speed`).
 * @param inUse the model that was measured; undefined, or without its work: taken for the reference model.
 */
export function referenceSpeed(
	measured: number,
	inUse: Pick<CatalogueEntry, "gigaMultiplications"> | undefined,
): number {
	const work = inUse?.gigaMultiplications ?? referenceGigaMultiplications;
	return (measured * work) / referenceGigaMultiplications;
}

export function recommend(
	entries: readonly CatalogueEntry[],
	wanted: readonly string[],
	device: Device,
): Recommendation {
	const suitable = entries
		.filter((it) => it.kind === undefined && it.megabytes !== undefined)
		.filter((it) => fits([it], device));
	const forEverything = suitable
		.filter((it) =>
			wanted.every((language) => it.languages?.includes(language)),
		)
		.sort((a, b) => total(a, wanted) - total(b, wanted));
	const [one] = forEverything;
	const chosen = bestOfEach(suitable, wanted, device);
	const forAll = (it: CatalogueEntry | undefined) =>
		it &&
		choiceOf(new Map(wanted.map((language) => [language, it])), device, wanted);
	const isSame = one && wanted.every((it) => chosen.get(it) === one);
	if (chosen.size > 0 && !isSame)
		return {
			one: forAll(one),
			each: choiceOf(chosen, device, wanted),
			lighter: undefined,
		};
	const lighter = one && forEverything.find((it) => isLighter(it, one));
	return { one: forAll(one), each: undefined, lighter: forAll(lighter) };
}

/**
 * The model for each language with which the sum of their errors is least, of all that fit together: the order of the languages does not matter.
 * @returns none for languages that stay with the model in use, beside which the others fit.
 */
function bestOfEach(
	suitable: readonly CatalogueEntry[],
	wanted: readonly string[],
	device: Device,
): ReadonlyMap<string, CatalogueEntry> {
	const languages = [...new Set(wanted)];
	const candidates = languages.map((language) => [
		...suitable
			.filter((it) => it.languages?.includes(language))
			.map((entry) => ({ entry, error: errorOf(entry, language) }))
			.sort((a, b) => a.error - b.error),
		{ entry: undefined, error: stayingError },
	]);
	const least = candidates.map(([first]) => first?.error ?? stayingError);
	let best: readonly (CatalogueEntry | undefined)[] = [];
	let bestError = Number.POSITIVE_INFINITY;
	const choose = (
		chosen: readonly (CatalogueEntry | undefined)[],
		error: number,
	): void => {
		const at = chosen.length;
		if (error + sumOf(least.slice(at)) >= bestError) return;
		if (!fits(chosen, device)) return;
		if (at === languages.length) {
			best = chosen;
			bestError = error;
			return;
		}
		for (const next of candidates[at] ?? [])
			choose([...chosen, next.entry], error + next.error);
	};
	choose([], 0);
	return new Map(
		languages.flatMap((language, i) => {
			const entry = best[i];
			return entry ? [[language, entry] as const] : [];
		}),
	);
}

function sumOf(numbers: readonly number[]): number {
	return numbers.reduce((sum, it) => sum + it, 0);
}

function isLighter(it: CatalogueEntry, than: CatalogueEntry): boolean {
	const { gigaMultiplications: all } = than;
	const { gigaMultiplications: own } = it;
	return own !== undefined && all !== undefined && own <= all / 2;
}

/** Resident memory of an engine with the model, megabytes: published, or estimated from its size. */
export function memoryOf({
	memoryMegabytes,
	megabytes = 0,
}: Pick<CatalogueEntry, "memoryMegabytes" | "megabytes">): number {
	return memoryMegabytes ?? engineMegabytes + megabytes * (1 + runShare);
}

/** In per cent, on the language's reference set. */
export function publishedError(
	{ errors = [] }: CatalogueEntry,
	language: string,
) {
	return errors.find(
		(it) => it.language === language && it.set === referenceSets[language],
	);
}

function choiceOf(
	models: ReadonlyMap<string, CatalogueEntry>,
	device: Device,
	wanted: readonly string[],
): Choice {
	const chosen = wanted.map((language) => models.get(language));
	const speeds = [...new Set(models.values())].map((it) => speedOf(it, device));
	return {
		models,
		memoryMegabytes: memoryOfAll(chosen, device),
		speed: speeds.includes(undefined)
			? undefined
			: Math.min(...speeds.filter((it) => it !== undefined)),
	};
}

/** @param models undefined: the model in use, which stays open beside several others as well. */
function memoryOfAll(
	models: readonly (CatalogueEntry | undefined)[],
	{ mainMegabytes }: Device,
): number {
	const main = mainMegabytes ?? memoryOf({ megabytes: whisperBaseMegabytes });
	const [only, ...others] = new Set(models);
	const all = others.length > 0 ? [only, ...others, undefined] : [only];
	return sumOf([...new Set(all)].map((it) => (it ? memoryOf(it) : main)));
}

function fits(
	models: readonly (CatalogueEntry | undefined)[],
	device: Device,
): boolean {
	const isFast = models.every(
		(it) => !it || (speedOf(it, device) ?? speedMin) >= speedMin,
	);
	return (
		isFast &&
		memoryOfAll(models, device) <= device.memoryMegabytes * memoryShare
	);
}

function speedOf(
	{ gigaMultiplications }: CatalogueEntry,
	{ speed }: Device,
): number | undefined {
	if (speed === undefined || !gigaMultiplications) return undefined;
	return (speed * referenceGigaMultiplications) / gigaMultiplications;
}

function errorOf(entry: CatalogueEntry, language: string): number {
	return publishedError(entry, language)?.percent ?? unpublished(entry);
}

/** Larger models first, and those that can simply be used. */
function unpublished({ megabytes = 0, licensing }: CatalogueEntry): number {
	const doubt = licensing && licensing.commercial !== "yes" ? licenceDoubt : 0;
	return presumedError + doubt - megabytes / 1000;
}

function total(entry: CatalogueEntry, languages: readonly string[]): number {
	return sumOf(languages.map((it) => errorOf(entry, it)));
}
