/** The words of English numbers, to numbers and back. */

const units =
	"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
		" ",
	);
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ordinals =
	"zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(
		" ",
	);
const tenOrdinals =
	"twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split(
		" ",
	);

const small = new Map<string, number>([
	...units.map((it, value): [string, number] => [it, value]),
	...tens.map((it, i): [string, number] => [it, (i + 2) * 10]),
]);
const ordinal = new Map<string, number>([
	...ordinals.map((it, value): [string, number] => [it, value]),
	...tenOrdinals.map((it, i): [string, number] => [it, (i + 2) * 10]),
]);
const scales = new Map<string, number>([
	["thousand", 1e3],
	["million", 1e6],
	["billion", 1e9],
	["trillion", 1e12],
]);
const decades = new Map<string, number>(
	tens.map((it, i): [string, number] => [
		it.replace(/y$/, "ies"),
		(i + 2) * 10,
	]),
);

/** Signs that are said between numbers: one dot two. */
export const spokenSigns: Readonly<Record<string, string>> = {
	dot: ".",
	slash: "/",
	dash: "-",
	hyphen: "-",
};

export const months =
	"january february march april may june july august september october november december".split(
		" ",
	);

export function isMonth(word: string | undefined): boolean {
	return word !== undefined && months.includes(word);
}

/** Zero to ninety, single words only. */
export function smallValue(word: string | undefined): number | undefined {
	return small.get(word ?? "");
}

/** One to nine. */
export function isUnit(word: string | undefined): boolean {
	const value = smallValue(word);
	return value !== undefined && value > 0 && value < 10;
}

/** Twenty to ninety. */
export function isTens(word: string | undefined): boolean {
	return (smallValue(word) ?? 0) >= 20;
}

/** Ten to nineteen. */
export function isTeen(word: string | undefined): boolean {
	const value = smallValue(word) ?? 0;
	return value >= 10 && value < 20;
}

/** First to ninetieth, single words only. */
export function ordinalValue(word: string | undefined): number | undefined {
	return ordinal.get(word ?? "");
}

export function scaleValue(word: string | undefined): number | undefined {
	return scales.get(word ?? "");
}

/** Twenties to nineties. */
export function decadeValue(word: string | undefined): number | undefined {
	return decades.get(word ?? "");
}

/** A word that a number is made of. */
export function isNumberWord(word: string | undefined): boolean {
	return (
		smallValue(word) !== undefined ||
		word === "hundred" ||
		scaleValue(word) !== undefined
	);
}

/** 0 to 99. */
function verbalizeTens(value: number): string {
	if (value < 20) return units[value] as string;
	const unit = value % 10;
	const ten = tens[Math.floor(value / 10) - 2] as string;
	return unit === 0 ? ten : `${ten} ${units[unit]}`;
}

/** Below a thousand. */
function verbalizeHundreds(value: number): string {
	const hundreds = Math.floor(value / 100);
	const rest = value % 100;
	if (hundreds === 0) return verbalizeTens(rest);
	const spoken = `${units[hundreds]} hundred`;
	return rest === 0 ? spoken : `${spoken} and ${verbalizeTens(rest)}`;
}

const scaleNames: readonly (readonly [number, string])[] = [
	[1e12, "trillion"],
	[1e9, "billion"],
	[1e6, "million"],
	[1e3, "thousand"],
];

/** @param digits at most 15, without sign and commas; longer ones are read digit by digit. */
export function verbalizeNumber(digits: string): string {
	const plain = digits.replace(/^0+(?=\d)/, "");
	if (plain.length > 15 || (digits.length > 1 && digits.startsWith("0")))
		return verbalizeDigits(digits);
	let rest = Number(plain);
	if (rest === 0) return "zero";
	const spoken: string[] = [];
	for (const [size, name] of scaleNames) {
		const count = Math.floor(rest / size);
		if (count > 0) spoken.push(`${verbalizeHundreds(count)} ${name}`);
		rest %= size;
	}
	if (rest > 0)
		spoken.push(
			rest < 100 && spoken.length > 0
				? `and ${verbalizeTens(rest)}`
				: verbalizeHundreds(rest),
		);
	return spoken.join(" ");
}

/** 0132 as zero one three two. */
export function verbalizeDigits(digits: string): string {
	return [...digits].map((it) => units[Number(it)] ?? "").join(" ");
}

/** 2026 as twenty twenty six, 1905 as nineteen oh five, 2005 as two thousand and five. */
export function verbalizeYear(digits: string): string {
	const century = Number(digits.slice(0, 2));
	const rest = Number(digits.slice(2));
	if (century % 10 === 0 && rest < 10) return verbalizeNumber(digits);
	if (rest === 0) return `${verbalizeTens(century)} hundred`;
	return `${verbalizeTens(century)} ${rest < 10 ? "oh " : ""}${verbalizeTens(rest)}`;
}

/** 21 as twenty first. */
export function verbalizeOrdinal(digits: string): string {
	const words = verbalizeNumber(digits).split(" ");
	const last = words.pop() as string;
	const unit = units.indexOf(last);
	const ten = tens.indexOf(last);
	const spoken =
		unit >= 0
			? (ordinals[unit] as string)
			: ten >= 0
				? (tenOrdinals[ten] as string)
				: `${last}th`;
	return [...words, spoken].join(" ");
}

/** 21 as 21st. */
export function ordinalSuffix(value: number): string {
	const two = value % 100;
	if (two >= 11 && two <= 13) return "th";
	return ["th", "st", "nd", "rd"][value % 10] ?? "th";
}
