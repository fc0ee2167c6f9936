/**
 * The reading of numbers in katakana, with the counter after them: 300 is サンビャク, 6匹 ロッピキ, 4月 シガツ, 20日 ハツカ. The analyser's dictionary reads
 * numerals character by character and has no reading for digits.
 */
import { type CounterSound, counters } from "./counter-sounds.js";
import { groupNames } from "./numerals.js";

const digits = [
	"",
	"イチ",
	"ニ",
	"サン",
	"ヨン",
	"ゴ",
	"ロク",
	"ナナ",
	"ハチ",
	"キュウ",
];
const bigNames = ["", "マン", "オク", "チョウ"];

/** @param number digits, commas, 万 億 兆 and at most one point: 1,234 or 3万5000 or 2.5. */
export function readNumber(number: string, counter?: string): string {
	const plain = number.replaceAll(",", "");
	const point = plain.indexOf(".");
	if (point !== -1) {
		const whole = soften(kanaOf(plain.slice(0, point)), "テン", "s");
		const rest = plain.slice(point + 1);
		return `${whole}${readOneByOne(rest)}${counter === undefined ? "" : readCounter(counter)}`;
	}
	if (counter === undefined) return kanaOf(plain);
	const [reading, sound] = counters[counter] ?? ["", "plain"];
	return (
		irregular(plain, reading, sound) ?? soften(kanaOf(plain), reading, sound)
	);
}

/** 0120: ゼロイチニゼロ. */
export function readOneByOne(number: string): string {
	return [...number]
		.map((it) => (it === "0" ? "ゼロ" : (digits[Number(it)] ?? "")))
		.join("");
}

function readCounter(counter: string): string {
	return counters[counter]?.[0] ?? "";
}

function kanaOf(plain: string): string {
	if (/^0+$/.test(plain)) return "ゼロ";
	let kana = "";
	for (const part of plain.match(/\d+[万億兆]?|[万億兆]/g) ?? []) {
		const big = groupNames.indexOf(part.at(-1) as string);
		const number = big > 0 ? part.slice(0, -1) : part;
		kana += big > 0 ? named(number, big) : unnamed(number);
	}
	return kana;
}

/** Digits without 万: also read in groups of four. */
function unnamed(number: string): string {
	if (number.length > 16 || (number.length > 1 && number.startsWith("0")))
		return readOneByOne(number);
	let kana = "";
	for (let big = bigNames.length - 1; big >= 0; big--) {
		const end = number.length - big * 4;
		if (end <= 0) continue;
		kana += named(number.slice(Math.max(0, end - 4), end), big);
	}
	return kana;
}

function named(number: string, big: number): string {
	const name = bigNames[big] as string;
	const kana =
		number.length > 4 ? readOneByOne(number) : readFour(number, big > 0);
	if (kana === "") return "";
	return big === 3 ? soften(kana, name, "s") : kana + name;
}

function readFour(four: string, isNamed: boolean): string {
	const padded = four.padStart(4, "0");
	const [thousands, hundreds, tens, ones] = [...padded].map(Number) as [
		number,
		number,
		number,
		number,
	];
	return (
		thousandsOf(thousands, isNamed) +
		hundredsOf(hundreds) +
		(tens === 0 ? "" : `${tens === 1 ? "" : digits[tens]}ジュウ`) +
		digits[ones]
	);
}

function thousandsOf(count: number, isNamed: boolean): string {
	if (count === 0) return "";
	if (count === 1) return isNamed ? "イッセン" : "セン";
	if (count === 3) return "サンゼン";
	return count === 8 ? "ハッセン" : `${digits[count]}セン`;
}

function hundredsOf(count: number): string {
	if (count === 0) return "";
	if (count === 1) return "ヒャク";
	if (count === 3) return "サンビャク";
	if (count === 6) return "ロッピャク";
	return count === 8 ? "ハッピャク" : `${digits[count]}ヒャク`;
}

const days: Readonly<Record<string, string>> = {
	"2": "フツカ",
	"3": "ミッカ",
	"4": "ヨッカ",
	"5": "イツカ",
	"6": "ムイカ",
	"7": "ナノカ",
	"8": "ヨウカ",
	"9": "ココノカ",
	"10": "トオカ",
	"14": "ジュウヨッカ",
	"20": "ハツカ",
	"24": "ニジュウヨッカ",
};

const people: Readonly<Record<string, string>> = {
	"1": "ヒトリ",
	"2": "フタリ",
};

/** Irregular words for a number with 日 or 人, with the rest of the counter (10日間). */
function irregular(
	plain: string,
	reading: string,
	sound: CounterSound,
): string | undefined {
	if (sound !== "days" && sound !== "people") return undefined;
	const word = (sound === "days" ? days : people)[plain];
	return word === undefined
		? undefined
		: word + reading.replace(/^ニ[チン]/, "");
}

const beforeHours: readonly (readonly [string, string])[] = [
	["ゼロ", "レイ"],
	["ヨン", "ヨ"],
	["ナナ", "シチ"],
	["キュウ", "ク"],
];
const beforeMonths: readonly (readonly [string, string])[] = [
	["ヨン", "シ"],
	["ナナ", "シチ"],
	["キュウ", "ク"],
];
const beforePeople: readonly (readonly [string, string])[] = [
	["ヨン", "ヨ"],
	["ナナ", "シチ"],
];
/** Endings of numbers that are shortened before another consonant. */
const shortening: readonly (readonly [string, string, string])[] = [
	["イチ", "イッ", "khs"],
	["ロク", "ロッ", "kh"],
	["ハチ", "ハッ", "khs"],
	["ジュウ", "ジュッ", "khs"],
	["ヒャク", "ヒャッ", "kh"],
];

/** Joins the kana of a number and a counter with their sound changes. */
function soften(number: string, counter: string, sound: CounterSound): string {
	switch (sound) {
		case "hours":
			return exchange(number, beforeHours) + counter;
		case "months":
			return exchange(number, beforeMonths) + counter;
		case "people":
			return exchange(number, beforePeople) + counter;
		case "years":
			return exchange(number, [["ヨン", "ヨ"]]) + counter;
		case "plain":
		case "days":
			return number + counter;
		default:
			return shorten(number, counter, sound);
	}
}

function exchange(
	number: string,
	endings: readonly (readonly [string, string])[],
): string {
	for (const [ending, instead] of endings)
		if (number.endsWith(ending))
			return number.slice(0, -ending.length) + instead;
	return number;
}

function shorten(number: string, counter: string, sound: CounterSound): string {
	const row = sound[0] as string;
	for (const [ending, short, rows] of shortening)
		if (number.endsWith(ending) && rows.includes(row))
			return (
				number.slice(0, -ending.length) +
				short +
				(row === "h" ? shift(counter, "パピプペポ") : counter)
			);
	if (!number.endsWith("サン") && !number.endsWith("ヨン"))
		return number + counter;
	const three = number.endsWith("サン");
	if (sound === "h-minutes") return number + shift(counter, "パピプペポ");
	if (sound === "h" && three) return number + shift(counter, "バビブベボ");
	if (sound === "k-voiced" && three)
		return number + counter.replace(/^カ/, "ガ").replace(/^ケ/, "ゲ");
	if (sound === "s-voiced" && three)
		return number + counter.replace(/^ソ/, "ゾ");
	return number + counter;
}

/** ホン to ポン or ボン. */
function shift(counter: string, row: string): string {
	const vowel = "ハヒフヘホ".indexOf(counter[0] as string);
	return vowel === -1 ? counter : (row[vowel] as string) + counter.slice(1);
}
