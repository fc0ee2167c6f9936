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
}

export interface Choice {
	/** The entry for each language, in the order asked. */
	readonly models: ReadonlyMap<string, CatalogueEntry>;
	/** Of all engines with these models. */
	readonly memoryMegabytes: number;
	/** Times real time of the slowest; undefined where it was not measured. */
	readonly speed: number | undefined;
}

export interface Recommendation {
	/** Absent: no single model fits and serves all languages. */
	readonly one: Choice | undefined;
	/** Absent where it would be the same. */
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
/** A final is expected soon after the end of its sentence. */
const speedMin = 2;
/** An engine without a model, and what a run needs besides the weights. */
const engineMegabytes = 150;
const runShare = 0.3;

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
	const chosen = new Map<string, CatalogueEntry>();
	for (const language of wanted) {
		const others = [...new Set(chosen.values())];
		const best = suitable
			.filter((it) => it.languages?.includes(language))
			.sort((a, b) => errorOf(a, language) - errorOf(b, language))
			.find((it) => fits([...others.filter((o) => o !== it), it], device));
		if (best) chosen.set(language, best);
	}
	const forAll = (it: CatalogueEntry | undefined) =>
		it && choiceOf(new Map(wanted.map((language) => [language, it])), device);
	const isSame = one && [...chosen.values()].every((it) => it === one);
	if (chosen.size > 0 && !isSame)
		return {
			one: forAll(one),
			each: choiceOf(chosen, device),
			lighter: undefined,
		};
	const lighter = one && forEverything.find((it) => isLighter(it, one));
	return { one: forAll(one), each: undefined, lighter: forAll(lighter) };
}

function isLighter(it: CatalogueEntry, than: CatalogueEntry): boolean {
	const { gigaMultiplications: all } = than;
	const { gigaMultiplications: own } = it;
	return own !== undefined && all !== undefined && own <= all / 2;
}

/** Resident memory of an engine with the model, megabytes: published, or estimated from its size. */
export function memoryOf({ memoryMegabytes, megabytes = 0 }: CatalogueEntry) {
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
): Choice {
	const all = [...new Set(models.values())];
	const speeds = all.map((it) => speedOf(it, device));
	return {
		models,
		memoryMegabytes: all.reduce((sum, it) => sum + memoryOf(it), 0),
		speed: speeds.includes(undefined)
			? undefined
			: Math.min(...speeds.filter((it) => it !== undefined)),
	};
}

function fits(models: readonly CatalogueEntry[], device: Device): boolean {
	const memory = models.reduce((sum, it) => sum + memoryOf(it), 0);
	const isFast = models.every(
		(it) => (speedOf(it, device) ?? speedMin) >= speedMin,
	);
	return isFast && memory <= device.memoryMegabytes * memoryShare;
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
	return languages.reduce((sum, it) => sum + errorOf(entry, it), 0);
}
