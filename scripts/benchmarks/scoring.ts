/**
 * What an error is, for every contender alike: transcript and reference are brought to one spelling (width, case, punctuation, simplified
 * characters, numbers as words), then counted with the edit distance, in characters for Chinese and Japanese, in words for English.
 * A change here moves every error rate.
 */
import { Converter } from "opencc-js";

export type ScoredLanguage = "zh" | "ja" | "en";

export interface ErrorCount {
	/** Substitutions, deletions and insertions. */
	readonly errors: number;
	/** Characters or words of the reference. */
	readonly units: number;
}

/** Errors of one transcript. Chinese and Japanese count characters, English counts words. */
export function countErrors(
	reference: string,
	transcript: string,
	language: ScoredLanguage,
): ErrorCount {
	const wanted = scoringUnits(reference, language);
	return {
		errors: editDistance(wanted, scoringUnits(transcript, language)),
		units: wanted.length,
	};
}

/** Errors per hundred units over many transcripts: the sum of errors by the sum of units, as the field counts it. */
export function errorPercent(counts: readonly ErrorCount[]): number {
	let errors = 0;
	let units = 0;
	for (const count of counts) {
		errors += count.errors;
		units += count.units;
	}
	return units === 0 ? 0 : (100 * errors) / units;
}

/** The units that are compared: words for English, characters otherwise. */
export function scoringUnits(text: string, language: ScoredLanguage): string[] {
	const plain = text.normalize("NFKC").toLowerCase();
	if (language === "en") return englishWords(plain);
	const characters = language === "zh" ? simplify(plain) : plain;
	return [...numeralsInHan(characters).replace(/[^\p{L}\p{N}]+/gu, "")];
}

const simplify = Converter({ from: "tw", to: "cn" });

const abbreviations: Readonly<Record<string, string>> = {
	mr: "mister",
	mrs: "missus",
	dr: "doctor",
};

function englishWords(text: string): string[] {
	return text
		.replace(/[’']/g, "")
		.replace(/(\d),(?=\d{3})/g, "$1")
		.replace(/\d+/g, (digits) => ` ${englishNumber(digits)} `)
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== "")
		.map((word) => abbreviations[word] ?? word);
}

const englishOnes =
	"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
		" ",
	);
const englishTens =
	"- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** As read out: 1813 is eighteen thirteen, 2017 two thousand seventeen, long strings digit by digit. */
function englishNumber(digits: string): string {
	if (digits.length > 6 || (digits.length > 1 && digits.startsWith("0")))
		return [...digits].map((digit) => englishOnes[Number(digit)]).join(" ");
	return englishCardinal(Number(digits));
}

function englishCardinal(value: number): string {
	if (value < 20) return englishOnes[value] ?? "";
	if (value < 100)
		return withRest(englishTens[Math.floor(value / 10)] ?? "", value % 10);
	const hundreds = Math.floor(value / 100);
	if (value < 1000)
		return withRest(`${englishOnes[hundreds]} hundred`, value % 100);
	if (value >= 1100 && value < 2000)
		return value % 100 === 0
			? `${englishCardinal(hundreds)} hundred`
			: withRest(englishCardinal(hundreds), value % 100);
	return withRest(
		`${englishCardinal(Math.floor(value / 1000))} thousand`,
		value % 1000,
	);
}

function withRest(words: string, rest: number): string {
	return rest === 0 ? words : `${words} ${englishCardinal(rest)}`;
}

const hanDigits = "零一二三四五六七八九";

/** Digits as Chinese characters, in years one by one; 〇 and 两 are the digits they stand for. */
function numeralsInHan(text: string): string {
	return text
		.replace(/〇/g, "零")
		.replace(/[两兩]/g, "二")
		.replace(/(\d),(?=\d{3})/g, "$1")
		.replace(/(\d+)(?=(年?))/g, (_, digits: string, year: string) =>
			digits.length > 8 ||
			digits.startsWith("0") ||
			(year !== "" && digits.length === 4)
				? [...digits].map((digit) => hanDigits[Number(digit)]).join("")
				: hanCardinal(Number(digits)),
		);
}

const hanUnits = ["", "十", "百", "千"];

function hanCardinal(value: number): string {
	if (value === 0) return "零";
	if (value < 10000) return hanBelowMyriad(value);
	const rest = value % 10000;
	const gap = rest > 0 && rest < 1000 ? "零" : "";
	return `${hanBelowMyriad(Math.floor(value / 10000))}万${gap}${rest === 0 ? "" : hanBelowMyriad(rest)}`;
}

function hanBelowMyriad(value: number): string {
	const digits = [...String(value)].map(Number);
	let text = "";
	let skipped = false;
	digits.forEach((digit, index) => {
		const unit = hanUnits[digits.length - 1 - index] ?? "";
		if (digit === 0) {
			skipped = true;
			return;
		}
		if (skipped) text += "零";
		skipped = false;
		const one = digit === 1 && unit === "十" && text === "";
		text += one ? unit : `${hanDigits[digit]}${unit}`;
	});
	return text;
}

/** Levenshtein's distance between two lists of units. */
export function editDistance(
	wanted: readonly string[],
	got: readonly string[],
): number {
	let previous = new Int32Array(got.length + 1).map((_, column) => column);
	let current = new Int32Array(got.length + 1);
	for (let row = 0; row < wanted.length; row++) {
		current[0] = row + 1;
		for (let column = 0; column < got.length; column++) {
			const changed =
				(previous[column] ?? 0) + (wanted[row] === got[column] ? 0 : 1);
			const deleted = (previous[column + 1] ?? 0) + 1;
			const inserted = (current[column] ?? 0) + 1;
			current[column + 1] = Math.min(changed, deleted, inserted);
		}
		[previous, current] = [current, previous];
	}
	return previous[got.length] ?? 0;
}
