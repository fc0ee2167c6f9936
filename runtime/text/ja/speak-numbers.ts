/**
 * Japanese numbers in words, as spoken: 2026年3月5日午後3時半 is 二千二十六年三月五日午後三時半. Numbers spelled with Latin letters keep their digits
 * (A4, 5G, COVID-19), unless the letters are a unit.
 */
import type { Edit, TextRule } from "../edits.js";
import { isLeadingPoint } from "../number-signs.js";
import { counterAt } from "./counters.js";
import { readAloud, readDigitByDigit } from "./numerals.js";
import { signBefore } from "./spoken-signs.js";

const units: Readonly<Record<string, string>> = {
	"%": "パーセント",
	"％": "パーセント",
	"℃": "度",
	"°C": "度",
	"°": "度",
	km: "キロメートル",
	m: "メートル",
	cm: "センチメートル",
	mm: "ミリメートル",
	kg: "キログラム",
	g: "グラム",
	mg: "ミリグラム",
	t: "トン",
	L: "リットル",
	ml: "ミリリットル",
	mL: "ミリリットル",
	GB: "ギガバイト",
	MB: "メガバイト",
	TB: "テラバイト",
	KB: "キロバイト",
	kW: "キロワット",
	W: "ワット",
	V: "ボルト",
	Hz: "ヘルツ",
	kHz: "キロヘルツ",
	MHz: "メガヘルツ",
	GHz: "ギガヘルツ",
	kcal: "キロカロリー",
	dB: "デシベル",
};

const latin = /[A-Za-z]/;
const anyDigit = /[0-9０-９]/;
const wide = /[０-９．，：／－]/g;

/** Forms of digits with signs in them, tried in this order on half-width text. No two parts of one form can match the same characters. */
const telephone = /(\d{2,5})-(\d{1,4})-(\d{3,4})(?![\d-])/y;
const postalCode = /(\d{3,4})-(\d{4})(?![\d-])/y;
const address = /(\d{1,4})-(\d{1,3})-(\d{1,3})(?![\d-])/y;
const fullDate = /(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?![\d/-])/y;
const clock = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\d:])/y;
const yearMonth = /(\d{4})\/(0?[1-9]|1[0-2])(?![\d/])/y;
const slashed = /(\d{1,4})\/(\d{1,4})(?![\d/])/y;
const version = /\d{1,4}(?:\.\d{1,4}){2,8}(?![\d.])/y;
const number = /(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?/y;

/** Numbers that are dialled, with 番. */
const emergency = new Set(["110番", "119番", "117番", "104番", "118番"]);

interface SpokenNumber {
	readonly to: number;
	readonly text: string;
}

export const speakNumbers: TextRule = (original) => {
	const edits: Edit[] = [];
	// one character for one: offsets stay valid
	const text = original.replace(wide, (it) => it.normalize("NFKC"));
	let i = 0;
	while (i < text.length) {
		if (!anyDigit.test(text[i] as string)) {
			i++;
			continue;
		}
		const spoken = isSpelled(original, i) ? undefined : speakAt(text, i);
		if (!spoken) {
			while (/[0-9A-Za-z.,]/.test(text[i] ?? "")) i++;
			continue;
		}
		const sign = signBefore(text, i, edits.at(-1)?.to ?? 0);
		edits.push({
			from: i - sign.length,
			to: spoken.to,
			text: sign.prefix + spoken.text + sign.suffix,
		});
		i = spoken.to;
	}
	return edits;
};

/** Digits after a letter, possibly after a hyphen, are part of a name. */
function isSpelled(text: string, at: number): boolean {
	const before = text[at - 1] ?? "";
	if (latin.test(before)) return true;
	return /[-_.]/.test(before) && latin.test(text[at - 2] ?? "");
}

function speakAt(text: string, from: number): SpokenNumber | undefined {
	if (isLeadingPoint(text, from)) return speakDecimals(text, from);
	return (
		speakForm(text, from, fullDate, ([, year, , month, day]) =>
			[`${whole(year)}年`, `${whole(month)}月`, `${whole(day)}日`].join(""),
		) ??
		speakForm(text, from, telephone, ([, ...groups]) =>
			groups.map((it) => readDigitByDigit(it ?? "")).join("の"),
		) ??
		speakForm(text, from, address, ([, ...groups]) =>
			groups.map(whole).join("の"),
		) ??
		speakForm(text, from, postalCode, ([, ...groups]) =>
			groups.map((it) => readDigitByDigit(it ?? "")).join("の"),
		) ??
		speakForm(text, from, clock, ([, hour, minute, second]) =>
			[
				`${whole(hour)}時`,
				minute === "00" && second === undefined ? "" : `${whole(minute)}分`,
				second === undefined ? "" : `${whole(second)}秒`,
			].join(""),
		) ??
		speakForm(
			text,
			from,
			yearMonth,
			([, year, month]) => `${whole(year)}年${whole(month)}月`,
		) ??
		speakForm(text, from, slashed, ([, over, under]) =>
			isDay(Number(over), Number(under))
				? `${whole(over)}月${whole(under)}日`
				: `${whole(under)}分の${whole(over)}`,
		) ??
		speakForm(text, from, version, ([all]) =>
			(all ?? "").split(".").map(whole).join("点"),
		) ??
		speakPlain(text, from)
	);
}

function speakForm(
	text: string,
	from: number,
	form: RegExp,
	speak: (groups: readonly (string | undefined)[]) => string,
): SpokenNumber | undefined {
	form.lastIndex = from;
	const found = form.exec(text);
	if (!found || latin.test(text[form.lastIndex] ?? "")) return undefined;
	return { to: form.lastIndex, text: speak(found) };
}

/** 12/25 is Christmas, 3/4 a fraction. */
function isDay(over: number, under: number): boolean {
	const isFraction = over < under && under <= 10;
	return !isFraction && over >= 1 && over <= 12 && under >= 1 && under <= 31;
}

/** 03 as 3: parts of dates and times. */
function whole(digits: string | undefined): string {
	return readAloud((digits ?? "").replace(/^0+(?=\d)/, ""));
}

/** 1,234.5 with 万 and 億 between, the unit after it, and the dash of a range. */
function speakPlain(text: string, from: number): SpokenNumber | undefined {
	let to = from;
	let words = "";
	for (;;) {
		number.lastIndex = to;
		const found = number.exec(text);
		if (!found) break;
		const [, digits = "", decimals] = found;
		to = number.lastIndex;
		const big = text[to] ?? "";
		const named = decimals === undefined && /^[万億兆]$/.test(big);
		words += speakDigits(digits.replaceAll(",", ""), named);
		if (decimals !== undefined) words += `点${readZeros(decimals)}`;
		if (!/^[万億兆]$/.test(big)) break;
		words += big;
		to++;
		if (decimals !== undefined) break;
	}
	if (emergency.has(text.slice(from, to + 1)))
		return { to, text: readDigitByDigit(text.slice(from, to)) };
	const unit = unitAt(text, to);
	if (unit) return { to: to + unit.length, text: words + units[unit] };
	if (latin.test(text[to] ?? "")) return undefined;
	if (/^[〜～~]$/.test(text[to] ?? "") && anyDigit.test(text[to + 1] ?? ""))
		return { to: to + 1, text: `${words}から` };
	return leadsUp(text, from, to)
		? { to: to + 1, text: `${words}から` }
		: { to, text: words };
}

/** The digits of .5, with their unit. */
function speakDecimals(text: string, from: number): SpokenNumber | undefined {
	const digits = /^\d{1,24}/.exec(text.slice(from, from + 24))?.[0] ?? "";
	const to = from + digits.length;
	const unit = unitAt(text, to);
	if (!unit && latin.test(text[to] ?? "")) return undefined;
	const words = `零点${readZeros(digits)}`;
	return unit
		? { to: to + unit.length, text: words + units[unit] }
		: { to, text: words };
}

/** The hyphen of 5-10人, not of the score 3-2. */
function leadsUp(text: string, from: number, to: number): boolean {
	if (!/^[-−–]$/.test(text[to] ?? "")) return false;
	number.lastIndex = to + 1;
	const next = number.exec(text);
	if (next === null || counterAt(text, to + 1 + next[0].length) === undefined)
		return false;
	return Number.parseFloat(next[0]) > Number.parseFloat(text.slice(from, to));
}

/** 1000 before 万 is 一千. */
function speakDigits(digits: string, named: boolean): string {
	const words = readAloud(digits);
	return named && words.startsWith("千") ? `一${words}` : words;
}

function readZeros(digits: string): string {
	return /^0+$/.test(digits)
		? digits.replaceAll("0", "零")
		: readDigitByDigit(digits);
}

function unitAt(text: string, at: number): string | undefined {
	const letters = /^(?:°C|[%％℃°]|[A-Za-z]{1,4})/.exec(text.slice(at, at + 5));
	const unit = letters?.[0];
	if (unit === undefined || !Object.hasOwn(units, unit)) return undefined;
	const after = text.slice(at + unit.length, at + unit.length + 2);
	return latin.test(unit) && /^[-_.]?[A-Za-z0-9]/.test(after)
		? undefined
		: unit;
}
