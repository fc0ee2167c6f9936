/**
 * English numbers in words, as they are said: 2026 is twenty twenty six, $23.50 twenty three dollars and fifty cents. No hyphens, as speech has none. What is
 * spelled with letters keeps its digits (A4, 5G, COVID-19), unless the letters are a unit.
 */
import type { Edit, TextRule } from "../edits.js";
import {
	months,
	sayDigits,
	sayNumber,
	sayOrdinal,
	sayYear,
} from "./number-words.js";

const units: Readonly<Record<string, readonly [one: string, more: string]>> = {
	km: ["kilometer", "kilometers"],
	cm: ["centimeter", "centimeters"],
	mm: ["millimeter", "millimeters"],
	kg: ["kilogram", "kilograms"],
	g: ["gram", "grams"],
	mg: ["milligram", "milligrams"],
	ml: ["milliliter", "milliliters"],
	GB: ["gigabyte", "gigabytes"],
	MB: ["megabyte", "megabytes"],
	TB: ["terabyte", "terabytes"],
	kW: ["kilowatt", "kilowatts"],
	Hz: ["hertz", "hertz"],
	kHz: ["kilohertz", "kilohertz"],
	MHz: ["megahertz", "megahertz"],
	GHz: ["gigahertz", "gigahertz"],
	mph: ["mile per hour", "miles per hour"],
};
const currencies: Readonly<
	Record<string, readonly [one: string, more: string]>
> = {
	$: ["dollar", "dollars"],
	"€": ["euro", "euros"],
	"£": ["pound", "pounds"],
	"¥": ["yen", "yen"],
};

interface Spoken {
	readonly to: number;
	readonly text: string;
}

/** Forms of digits, tried in this order. No two neighbouring parts of one can match the same characters. */
const telephone = /(?:(\d)-)?(\d{3})-(?:(\d{3})-)?(\d{4})(?![\d-])/y;
const slashDate = /(1[0-2]|0?[1-9])\/(3[01]|[12]\d|0?[1-9])\/(\d{4})(?![\d/])/y;
const isoDate = /(\d{4})-(\d{2})-(\d{2})(?![\d-])/y;
const time = /(\d{1,2}):([0-5]\d)(?![\d:])/y;
const meridiem = / ?([ap])\.?m(?![A-Za-z])/iy;
const ordinal = /(\d{1,12})(?:st|nd|rd|th)(?![A-Za-z])/iy;
const decade = /(\d{4})s(?![A-Za-z])/y;
const fraction = /(\d{1,3})\/(\d{1,3})(?![\d/])/y;
const version = /\d{1,4}(?:\.\d{1,4}){2,}(?![\d.]*\d)/y;
const number = /(\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.(\d+))?/y;
const scale = / (thousand|million|billion|trillion)(?![A-Za-z])/iy;

export const speakNumbers: TextRule = (text) => {
	const edits: Edit[] = [];
	let i = 0;
	while (i < text.length) {
		if (!isDigit(text[i])) {
			i++;
			continue;
		}
		const spoken = isSpelled(text, i) ? undefined : speakAt(text, i);
		if (!spoken) {
			while (/[0-9A-Za-z.,:/]/.test(text[i] ?? "")) i++;
			continue;
		}
		const sign = signBefore(text, i, edits.at(-1)?.to ?? 0);
		edits.push({
			from: i - sign.length,
			to: spoken.to,
			text: sign.said + spaced(text, spoken),
		});
		i = spoken.to;
	}
	return edits;
};

function isDigit(character: string | undefined): boolean {
	return character !== undefined && character >= "0" && character <= "9";
}

/** Digits behind a letter, perhaps over a hyphen, spell a name. */
function isSpelled(text: string, at: number): boolean {
	const before = text[at - 1] ?? "";
	if (/[\p{L}\p{M}_#@]/u.test(before)) return true;
	return /[-.'’]/.test(before) && /[A-Za-z]/.test(text[at - 2] ?? "");
}

/** A letter right behind needs its space. */
function spaced(text: string, { to, text: said }: Spoken): string {
	return /[\p{L}\d]/u.test(text[to] ?? "") ? `${said} ` : said;
}

function signBefore(text: string, at: number, notBefore: number) {
	const before = text[at - 1] ?? "";
	const none = { length: 0, said: "" };
	if (at <= notBefore) return none;
	if (Object.hasOwn(currencies, before)) {
		const minus = /^[-−]$/.test(text[at - 2] ?? "") && at - 2 >= notBefore;
		return minus && !/[\dA-Za-z]/.test(text[at - 3] ?? "")
			? { length: 2, said: "minus " }
			: { length: 1, said: "" };
	}
	if (!/^[-−]$/.test(before) || /[\dA-Za-z-]/.test(text[at - 2] ?? ""))
		return none;
	return { length: 1, said: "minus " };
}

function speakAt(text: string, from: number): Spoken | undefined {
	const currency = text[from - 1] ?? "";
	if (Object.hasOwn(currencies, currency))
		return speakMoney(text, from, currency);
	return (
		speakPhrase(text, from) ??
		speakTelephone(text, from) ??
		speakDate(text, from) ??
		speakTime(text, from) ??
		speakForm(text, from, ordinal, ([, digits = ""]) => sayOrdinal(digits)) ??
		speakForm(text, from, decade, ([, digits = ""]) => sayDecade(digits)) ??
		speakForm(text, from, fraction, ([, over = "", under = ""]) =>
			sayFraction(over, under),
		) ??
		speakForm(text, from, version, ([all]) =>
			(all ?? "").split(".").map(sayNumber).join(" point "),
		) ??
		speakPlain(text, from)
	);
}

function speakForm(
	text: string,
	from: number,
	form: RegExp,
	speak: (groups: readonly (string | undefined)[]) => string | undefined,
): Spoken | undefined {
	form.lastIndex = from;
	const found = form.exec(text);
	if (!found) return undefined;
	const said = speak(found);
	return said === undefined
		? undefined
		: { to: from + found[0].length, text: said };
}

function speakPhrase(text: string, from: number): Spoken | undefined {
	if (!text.startsWith("24/7", from) || /[\d/]/.test(text[from + 4] ?? ""))
		return undefined;
	return { to: from + 4, text: "twenty four seven" };
}

function speakTelephone(text: string, from: number): Spoken | undefined {
	return speakForm(text, from, telephone, ([, ...groups]) =>
		groups
			.filter((it) => it !== undefined)
			.map(sayDigits)
			.join(" "),
	);
}

function speakDate(text: string, from: number): Spoken | undefined {
	const iso = speakForm(
		text,
		from,
		isoDate,
		([, year = "", month, day = ""]) => {
			const name = months[Number(month) - 1];
			if (name === undefined || Number(day) > 31) return undefined;
			return `${capital(name)} ${sayOrdinal(String(Number(day)))} ${sayYear(year)}`;
		},
	);
	const american = speakForm(
		text,
		from,
		slashDate,
		([, month, day = "", year = ""]) =>
			`${sayDay(Number(month), day)} ${sayYear(year)}`,
	);
	return iso ?? american ?? speakDayOfMonth(text, from);
}

function sayDay(month: number, day: string): string {
	const name = months[month - 1] ?? "";
	return `${capital(name)} ${sayOrdinal(String(Number(day)))}`;
}

/** The 5 of March 5, and the year behind it. */
function speakDayOfMonth(text: string, from: number): Spoken | undefined {
	const before = /(?:^|[^A-Za-z])([A-Za-z]{3,9}) $/.exec(
		text.slice(Math.max(0, from - 11), from),
	);
	if (!before || !months.includes((before[1] ?? "").toLowerCase()))
		return undefined;
	const day =
		/^(\d{1,2})(?:st|nd|rd|th)?(?![\d:/.%A-Za-z-]*[\dA-Za-z%])(?:, (\d{4})(?![\d,]))?/.exec(
			text.slice(from, from + 24),
		);
	if (!day || Number(day[1]) < 1 || Number(day[1]) > 31) return undefined;
	const said = sayOrdinal(String(Number(day[1])));
	const year = day[2] === undefined ? "" : ` ${sayYear(day[2])}`;
	return { to: from + day[0].length, text: said + year };
}

/** 5:30 p.m., 5 p.m., 17:30, 5:00. */
function speakTime(text: string, from: number): Spoken | undefined {
	const clock = speakForm(text, from, time, ([, hour = "", minute = ""]) => {
		const said = sayNumber(String(Number(hour)));
		if (minute === "00") return said;
		return minute.startsWith("0")
			? `${said} oh ${sayNumber(minute.slice(1))}`
			: `${said} ${sayNumber(minute)}`;
	});
	const hour = clock
		? undefined
		: /^(?:1[0-2]|[1-9])(?!\d)/.exec(text.slice(from, from + 3));
	const to = clock?.to ?? (hour ? from + hour[0].length : undefined);
	if (to === undefined) return undefined;
	const said = clock?.text ?? sayNumber(text.slice(from, to));
	meridiem.lastIndex = to;
	const half = meridiem.exec(text);
	if (half) return withMeridiem(text, said, to + half[0].length, half[1] ?? "");
	if (!clock) return undefined;
	const full = text.slice(to - 2, to) === "00";
	return { to, text: full ? `${said} o'clock` : said };
}

/** The stop of "p.m." that ends a sentence stays. */
function withMeridiem(
	text: string,
	said: string,
	at: number,
	letter: string,
): Spoken {
	const stop = text[at] === "." && /\./.test(text.slice(at - 2, at));
	const ends = /^\.?\s*(?:$|["')]?\s*[A-Z])/.test(text.slice(at, at + 4));
	// in a sentence of its own the stop is the sentence's, too
	const own = at + 1 === text.length && /^[^\p{Lu}]/u.test(text);
	const to = stop && (own || !ends) ? at + 1 : at;
	return { to, text: `${said} ${letter.toLowerCase()} m` };
}

function sayDecade(digits: string): string {
	const words = sayYear(digits).split(" ");
	const last = words.pop() as string;
	const many = last.endsWith("y") ? `${last.slice(0, -1)}ies` : `${last}s`;
	return [...words, many].join(" ");
}

function sayFraction(over: string, under: string): string | undefined {
	const count = Number(over);
	const size = Number(under);
	if (count === 0 || size < 2) return undefined;
	// 12/25 is Christmas
	if (size > 10 && count <= 12 && size <= 31) return sayDay(count, under);
	if (size === 2)
		return `${sayNumber(over)} ${count === 1 ? "half" : "halves"}`;
	const part = size === 4 ? "quarter" : sayOrdinal(under);
	return `${sayNumber(over)} ${part}${count === 1 ? "" : "s"}`;
}

/** $23.50, $3 million, $2.5 million. */
function speakMoney(
	text: string,
	from: number,
	sign: string,
): Spoken | undefined {
	number.lastIndex = from;
	const found = number.exec(text);
	if (!found) return undefined;
	const [, digits = "", decimals] = found;
	const whole = digits.replaceAll(",", "");
	const end = from + found[0].length;
	const [one, more] = currencies[sign] as readonly [string, string];
	scale.lastIndex = end;
	const size = scale.exec(text);
	if (size)
		return {
			to: end + size[0].length,
			text: `${sayDecimal(whole, decimals)} ${(size[1] ?? "").toLowerCase()} ${more}`,
		};
	const name = Number(whole) === 1 ? one : more;
	if (/^[-–]$/.test(text[end] ?? "") && text[end + 1] === sign)
		return { to: end + 1, text: `${sayDecimal(whole, decimals)} to ` };
	if (decimals === undefined)
		return { to: end, text: `${sayNumber(whole)} ${name}` };
	if (decimals.length !== 2 || sign === "¥")
		return { to: end, text: `${sayDecimal(whole, decimals)} ${more}` };
	const cents = Number(decimals);
	if (cents === 0) return { to: end, text: `${sayNumber(whole)} ${name}` };
	const coin = sign === "£" ? "pence" : cents === 1 ? "cent" : "cents";
	return {
		to: end,
		text: `${sayNumber(whole)} ${name} and ${sayNumber(String(cents))} ${coin}`,
	};
}

/** A number with its unit; a year where it can be one; the link of a range. */
function speakPlain(text: string, from: number): Spoken | undefined {
	number.lastIndex = from;
	const found = number.exec(text);
	if (!found) return undefined;
	const [all, digits = "", decimals] = found;
	let to = from + all.length;
	const unit = unitAt(
		text,
		to,
		Number(digits.replaceAll(",", "")) === 1 && decimals === undefined,
	);
	if (!unit && /[\p{L}\p{M}_]/u.test(text[to] ?? "")) return undefined;
	let said =
		decimals === undefined && /^(?:1[1-9]|20)\d\d$/.test(digits) && !unit
			? sayYear(digits)
			: sayDecimal(digits.replaceAll(",", ""), decimals);
	if (unit) {
		said += ` ${unit.text}`;
		to = unit.to;
	}
	if (leadsUp(text, from, to)) return { to: to + 1, text: `${said} to` };
	return { to, text: said };
}

/** 10-20, not the score 3-2. */
function leadsUp(text: string, from: number, to: number): boolean {
	if (!/^[-–]$/.test(text[to] ?? "")) return false;
	number.lastIndex = to + 1;
	const next = number.exec(text);
	return next !== null && valueIn(next[0]) > valueIn(text.slice(from, to));
}

function valueIn(digits: string): number {
	return Number.parseFloat(digits.replaceAll(",", ""));
}

function sayDecimal(whole: string, decimals: string | undefined): string {
	const said = sayNumber(whole);
	return decimals === undefined ? said : `${said} point ${sayDigits(decimals)}`;
}

/** %, °, °C and letters, perhaps behind a space. */
function unitAt(text: string, at: number, one: boolean): Spoken | undefined {
	if (text[at] === "%") return { to: at + 1, text: "percent" };
	const degrees = /^ ?°([CF])?(?![A-Za-z])/.exec(text.slice(at, at + 4));
	if (degrees) {
		const scaleName =
			{ C: " celsius", F: " fahrenheit" }[degrees[1] ?? ""] ?? "";
		const name = one ? "degree" : "degrees";
		return { to: at + degrees[0].length, text: name + scaleName };
	}
	const letters = /^ ?([A-Za-z]{1,4})(?![-_.]?[A-Za-z\d])/.exec(
		text.slice(at, at + 8),
	);
	const unit = letters?.[1] ?? "";
	if (!letters || !Object.hasOwn(units, unit)) return undefined;
	if (letters[0].startsWith(" ") && unit === "g") return undefined;
	return {
		to: at + letters[0].length,
		text: (units[unit] as readonly [string, string])[one ? 0 : 1],
	};
}

function capital(word: string): string {
	return (word[0] ?? "").toUpperCase() + word.slice(1);
}
