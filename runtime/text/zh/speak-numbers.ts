/**
 * Inverse text normalization off: numbers in digits are written as spoken. Dates and clock times, amounts with signs, numbers with places, and
 * numbers read digit by digit (years, telephones, rooms).
 *
 * At each position the patterns are tried in the order of `patterns`; each is anchored and looks ahead no further than a number's length.
 */
import type { Edit } from "../edits.js";
import { isLeadingPoint } from "../number-signs.js";
import { verbalizeDigits, verbalizeNumber } from "./spoken-number.js";
import { verbalizeInPlace } from "./verbalize-in-place.js";

interface SpokenNumber {
	readonly text: string;
	readonly to: number;
}

type Pattern = readonly [
	RegExp,
	(found: RegExpExecArray, text: string) => string | undefined,
];

const amount = String.raw`(?:(?:\d{1,3}(?:,\d{3})+|\d{1,24})(?:\.\d{1,24})?|\.\d{1,24})`;
const degrees = "(?:℃|°C|摄氏度)";
const currencies: Readonly<Record<string, string>> = {
	"¥": "元",
	"￥": "元",
	$: "美元",
	"€": "欧元",
	"£": "英镑",
};
const latinUnits: Readonly<Record<string, string>> = {
	"km/h": "公里每小时",
	km: "公里",
	kg: "公斤",
	cm: "厘米",
	mm: "毫米",
	mg: "毫克",
	ml: "毫升",
	mL: "毫升",
	"m²": "平方米",
	"㎡": "平方米",
	m: "米",
	g: "克",
	L: "升",
};

/** Letters before a number, with their hyphen. */
const nameCharactersMax = 16;
const digitsOfName = /\d+(?:\.\d+)*/y;
const unitsOfAmount = /^(?:%|％|‰|℃|°|度)/;

/** Between two numbers; any other sign is "to". */
const signs: Readonly<Record<string, string>> = {
	"+": "加",
	"×": "乘",
	"*": "乘",
	"÷": "除以",
	"=": "等于",
};

const patterns: readonly Pattern[] = [
	[
		/(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d.])/y,
		([, year = "", , month = "", day = ""]) =>
			Number(month) <= 12 && Number(day) <= 31
				? `${verbalizeDigits(year)}年${verbalizeNumber(month)}月${verbalizeNumber(day)}日`
				: undefined,
	],
	[
		/\d{1,6}(?:\.\d{1,6}){2,5}(?![\d.])/y,
		([dotted]) => verbalizeDotted(dotted),
	],
	[
		/0\d{2,3}-\d{7,8}(?!\d)/y,
		([phone]) => verbalizeDigits(phone.replace("-", "")),
	],
	[
		/(?:1\d{2}-\d{4}-\d{4}|[48]00-\d{3,4}-\d{3,4})(?!\d)/y,
		([phone]) => verbalizeDigits(phone.replaceAll("-", "")),
	],
	[/(\d{1,2})[:：](\d{2})(?:[:：](\d{2}))?(?!\d)/y, verbalizeClock],
	[
		/(\d{1,6})[:：](\d{1,6})(?!\d)/y,
		([, one = "", other = ""]) =>
			`${verbalizeNumber(one)}比${verbalizeNumber(other)}`,
	],
	[new RegExp(`(-?)(${amount})([%％‰])`, "y"), verbalizeShare],
	[
		new RegExp(`(-?)(${amount})(${degrees}|度)`, "y"),
		([, sign, number = "", unit]) =>
			`${sign ? "零下" : ""}${verbalizeAmount(number)}${unit === "度" ? "度" : "摄氏度"}`,
	],
	[
		new RegExp(`(-?)([¥￥$€£]) ?(${amount})([百千]?[万亿]?)`, "y"),
		([, minus, sign = "", number = "", places = ""]) =>
			(minus ? "负" : "") +
			verbalizeAmount(places === "" ? number.replace(/\.00$/, "") : number) +
			places +
			currencies[sign],
	],
	[
		/(\d{1,6})\/(\d{1,6})(?![\d/])/y,
		([, share = "", of = ""]) =>
			Number(of) >= 2
				? `${verbalizeNumber(of)}分之${verbalizeNumber(share)}`
				: undefined,
	],
	[
		new RegExp(
			`(${amount}) ?(km/h|km|kg|cm|mm|mg|m[lL]|m²|㎡|m|g|L)(?![A-Za-z/])`,
			"y",
		),
		([, number = "", unit = ""]) => {
			const spoken = plain(number) === "2" ? "两" : verbalizeAmount(number);
			return spoken + (latinUnits[unit] ?? unit);
		},
	],
	[
		/(\d)米(\d{1,2})(?![\d.多])/y,
		([, metres = "", after = ""]) =>
			`${metres === "2" ? "两" : verbalizeNumber(metres)}米${verbalizeDigits(after)}`,
	],
	[
		new RegExp(`-(${amount})`, "y"),
		([, number = ""]) => `负${verbalizeAmount(number)}`,
	],
	[new RegExp(amount, "y"), verbalizeInPlace],
];

export function speakNumbers(text: string): Edit[] {
	const edits: Edit[] = [];
	for (let at = 0; at < text.length; ) {
		const named = nameEnd(text, at);
		if (named !== undefined) {
			at = named;
			continue;
		}
		const spoken = startsNumber(text, at) ? verbalizeAt(text, at) : undefined;
		if (!spoken) {
			at++;
			continue;
		}
		edits.push({ from: at, to: spoken.to, text: spoken.text });
		at = spoken.to;
		const sign = /^ ?([-–—~～+×*÷=]) ?(?=\d)/.exec(text.slice(at, at + 4));
		if (!sign) continue;
		const to = at + sign[0].length;
		const minus = sign[1] === "-" && isEquation(text, to);
		const link = minus ? "减" : "到";
		edits.push({ from: at, to, text: signs[sign[1] as string] ?? link });
		at = to;
	}
	return edits;
}

/** 10-3=7 is no range. @param at the second number. */
function isEquation(text: string, at: number): boolean {
	return /^[\d.,]{1,12} ?=/.test(text.slice(at, at + 14));
}

/** COVID-19 and F-16 keep their digits, not those of GDP-0.5%. @returns the end of those that begin at `at`. */
function nameEnd(text: string, at: number): number | undefined {
	if (!/\d/.test(text[at] as string) || text[at - 1] !== "-") return undefined;
	const before = text.slice(Math.max(0, at - nameCharactersMax), at);
	if (!/(?:^|[^A-Za-z\d])[A-Za-z]+-$/.test(before)) return undefined;
	digitsOfName.lastIndex = at;
	digitsOfName.test(text);
	const to = digitsOfName.lastIndex;
	return unitsOfAmount.test(text.slice(to, to + 1)) ? undefined : to;
}

function startsNumber(text: string, at: number): boolean {
	const character = text[at] as string;
	if (/\d/.test(character)) return true;
	const isPoint = /^\.\d/.test(text.slice(at, at + 2));
	if (isPoint) return isLeadingPoint(text, at + 1);
	if (!/^(?:-|-?[¥￥$€£])(?:[\d ]|\.\d)/.test(text.slice(at, at + 4)))
		return false;
	return character !== "-" || !/[\p{L}\d]/u.test(latinBefore(text, at));
}

function latinBefore(text: string, at: number): string {
	const before = text[at - 1] ?? "";
	return /[A-Za-z\d]/.test(before) ? before : "";
}

function verbalizeAt(text: string, at: number): SpokenNumber | undefined {
	for (const [pattern, verbalize] of patterns) {
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		const spoken = found && verbalize(found, text);
		if (found && spoken) return { text: spoken, to: at + found[0].length };
	}
	return undefined;
}

function verbalizeAmount(number: string): string {
	return verbalizeNumber(plain(number));
}

function plain(number: string): string {
	return number.replaceAll(",", "");
}

/** 9:05 is 九点零五, 15:30 十五点三十, 9:00 九点. */
function verbalizeClock([, hour = "", minute = "", second]: RegExpExecArray):
	| string
	| undefined {
	if (Number(hour) > 24 || Number(minute) > 59) return undefined;
	const hours = Number(hour) === 2 ? "两" : verbalizeNumber(hour);
	if (second !== undefined)
		return `${hours}点${verbalizeMinute(minute)}分${verbalizeMinute(second)}秒`;
	return minute === "00"
		? `${hours}点`
		: `${hours}点${verbalizeMinute(minute)}`;
}

function verbalizeMinute(minute: string): string {
	return minute.startsWith("0")
		? verbalizeDigits(minute)
		: verbalizeNumber(minute);
}

/** An IP address digit by digit, a version number by number. */
function verbalizeDotted(dotted: string): string {
	const parts = dotted.split(".");
	const isAddress = parts.length === 4;
	return parts
		.map((it) =>
			isAddress || it.length > 2 ? verbalizeDigits(it) : verbalizeNumber(it),
		)
		.join("点");
}

function verbalizeShare([, sign, number = "", mark]: RegExpExecArray): string {
	const of = mark === "‰" ? "千分之" : "百分之";
	return `${sign ? "负" : ""}${of}${verbalizeAmount(number)}`;
}
