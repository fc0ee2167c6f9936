/**
 * Inverse text normalisation off: what stands in digits is written as it is said. Dates and clocks, amounts with their signs, numbers with places, and
 * what is read digit by digit (years, telephones, rooms).
 *
 * The patterns of a place are tried in the order of `patterns`; each is anchored there and looks no further than a number goes.
 */
import type { Edit } from "../edits.js";
import { sayDigits, sayNumber } from "./spoken-number.js";
import { countingAt, isNumbered } from "./units.js";

interface Said {
	readonly text: string;
	readonly to: number;
}

type Pattern = readonly [
	RegExp,
	(found: RegExpExecArray, text: string) => string | undefined,
];

const amount = String.raw`(?:\d{1,3}(?:,\d{3})+|\d{1,24})(?:\.\d{1,24})?`;
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
	m: "米",
	g: "克",
	L: "升",
};

const patterns: readonly Pattern[] = [
	[
		/(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d.])/y,
		([, year = "", , month = "", day = ""]) =>
			Number(month) <= 12 && Number(day) <= 31
				? `${sayDigits(year)}年${sayNumber(month)}月${sayNumber(day)}日`
				: undefined,
	],
	[/\d{1,6}(?:\.\d{1,6}){2,5}(?![\d.])/y, ([dotted]) => sayDigits(dotted)],
	[/0\d{2,3}-\d{7,8}(?!\d)/y, ([phone]) => sayDigits(phone.replace("-", ""))],
	[
		/1\d{2}-\d{4}-\d{4}(?!\d)/y,
		([phone]) => sayDigits(phone.replaceAll("-", "")),
	],
	[/(\d{1,2})[:：](\d{2})(?:[:：](\d{2}))?(?!\d)/y, sayClock],
	[
		/(\d{1,6})[:：](\d{1,6})(?!\d)/y,
		([, one = "", other = ""]) => `${sayNumber(one)}比${sayNumber(other)}`,
	],
	[new RegExp(`(-?)(${amount})([%％‰])`, "y"), sayShare],
	[
		new RegExp(`(-?)(${amount})(${degrees}|度)`, "y"),
		([, sign, number = "", unit]) =>
			`${sign ? "零下" : ""}${say(number)}${unit === "度" ? "度" : "摄氏度"}`,
	],
	[
		new RegExp(`([¥￥$€£]) ?(${amount})([百千]?[万亿]?)`, "y"),
		([, sign = "", number = "", places = ""]) =>
			say(number) + places + currencies[sign],
	],
	[
		/(\d{1,6})\/(\d{1,6})(?![\d/])/y,
		([, share = "", of = ""]) =>
			Number(of) >= 2 ? `${sayNumber(of)}分之${sayNumber(share)}` : undefined,
	],
	[
		new RegExp(
			`(${amount}) ?(km/h|km|kg|cm|mm|mg|m[lL]|m²|m|g|L)(?![A-Za-z/])`,
			"y",
		),
		([, number = "", unit = ""]) => {
			const said = plain(number) === "2" ? "两" : say(number);
			return said + (latinUnits[unit] ?? unit);
		},
	],
	[
		/(\d)米(\d{1,2})(?![\d.多])/y,
		([, metres = "", behind = ""]) =>
			`${metres === "2" ? "两" : sayNumber(metres)}米${sayDigits(behind)}`,
	],
	[new RegExp(`-(${amount})`, "y"), ([, number = ""]) => `负${say(number)}`],
	[new RegExp(amount, "y"), sayInPlace],
];

export function speakNumbers(text: string): Edit[] {
	const edits: Edit[] = [];
	for (let at = 0; at < text.length; ) {
		const said = startsNumber(text, at) ? sayAt(text, at) : undefined;
		if (!said) {
			at++;
			continue;
		}
		edits.push({ from: at, to: said.to, text: said.text });
		at = said.to;
		const range = /^ ?[-–—~～] ?(?=\d)/.exec(text.slice(at, at + 4))?.[0];
		if (!range) continue;
		edits.push({ from: at, to: at + range.length, text: "到" });
		at += range.length;
	}
	return edits;
}

function startsNumber(text: string, at: number): boolean {
	const character = text[at] as string;
	if (/\d/.test(character)) return true;
	if (!/[-¥￥$€£]/.test(character) || !/[\d ]/.test(text[at + 1] ?? ""))
		return false;
	return character !== "-" || !/[\p{L}\d]/u.test(latinBefore(text, at));
}

function latinBefore(text: string, at: number): string {
	const before = text[at - 1] ?? "";
	return /[A-Za-z\d]/.test(before) ? before : "";
}

function sayAt(text: string, at: number): Said | undefined {
	for (const [pattern, sayFound] of patterns) {
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		const said = found && sayFound(found, text);
		if (found && said) return { text: said, to: at + found[0].length };
	}
	return undefined;
}

function say(number: string): string {
	return sayNumber(plain(number));
}

function plain(number: string): string {
	return number.replaceAll(",", "");
}

/** 9:05 is 九点零五, 15:30 十五点三十, 9:00 九点. */
function sayClock([, hour = "", minute = "", second]: RegExpExecArray):
	| string
	| undefined {
	if (Number(hour) > 24 || Number(minute) > 59) return undefined;
	const hours = Number(hour) === 2 ? "两" : sayNumber(hour);
	if (second !== undefined)
		return `${hours}点${sayMinute(minute)}分${sayMinute(second)}秒`;
	return minute === "00" ? `${hours}点` : `${hours}点${sayMinute(minute)}`;
}

function sayMinute(minute: string): string {
	return minute.startsWith("0") ? sayDigits(minute) : sayNumber(minute);
}

function sayShare([, sign, number = "", mark]: RegExpExecArray): string {
	const of = mark === "‰" ? "千分之" : "百分之";
	return `${sign ? "负" : ""}${of}${say(number)}`;
}

const readAsDigits =
	/(?:密码|验证码|编号|号码|电话|手机号?|工号|房间号?|尾号|卡号|学号|代码|邮编|账号|口令|分机|热线|拨打|拨|转)(?:是|为|：|:)?$/;
const rooms =
	/^(?:号?房|室|会议室|教室|宿舍|号?病房|路公?车?|航班|次列车|次航班)/;
const emergency = /^(?:11[0249]|12[02])$/;

/** A number without signs of its own, by what stands around it. */
function sayInPlace(found: RegExpExecArray, text: string): string {
	const number = plain(found[0]);
	const from = found.index;
	const behind = text.slice(from + found[0].length, from + found[0].length + 8);
	const before = text.slice(Math.max(0, from - 6), from);
	if (number.includes(".")) return sayNumber(number);
	if (isReadByDigits(number, before, behind)) return sayDigits(number);
	if (number === "2" && isCoupled(text, from + 1, before)) return "两";
	return sayNumber(number);
}

function isReadByDigits(
	number: string,
	before: string,
	behind: string,
): boolean {
	const { length } = number;
	const value = Number(number);
	if (length > 1 && number.startsWith("0")) return true;
	if (/[A-Za-z]$/.test(before)) return length > 2;
	if (readAsDigits.test(before)) return length > 2 || /尾号.?$/.test(before);
	if (behind.startsWith("年"))
		return length === 4
			? (value > 1000 && value < 2100 && value % 1000 !== 0) || value === 2000
			: length === 2 &&
					!behind.startsWith("年代") &&
					(isYear(value, before) || /^年(?:的?\d{1,2}月)/.test(behind));
	if (behind.startsWith("后"))
		return length === 2 && /^[5-9][05]$/.test(number);
	if (rooms.test(behind)) return length === 3 || length === 4;
	if (emergency.test(number) && /^(?:报警|急救|电话|热线|平台)/.test(behind))
		return true;
	const counts =
		/^[百千万亿多余]/.test(behind) || countingAt(behind, 0, "") !== "none";
	if (counts) return false;
	if (length >= 7) return !/0000$/.test(number);
	return length === 4 && value >= 1900 && value < 2100 && value % 1000 !== 0;
}

/** 98年; but 等了60年. */
function isYear(value: number, before: string): boolean {
	return (
		value > 70 && value % 10 !== 0 && !/[了过近约共达长超满]$/.test(before)
	);
}

/** 两个, 两点, 两百; but 二号, 二楼, 第二, 二比一. */
function isCoupled(text: string, at: number, before: string): boolean {
	if (/(?:第|[点月年比第]|\d)$/.test(before)) return false;
	const behind = text.slice(at, at + 3);
	if (/^[百千万亿块毛度]/.test(behind)) return true;
	if (behind.startsWith("点")) return !/^点\d(?!\d)/.test(behind);
	return countingAt(text, at, "") !== "none" && !isNumbered(text, at);
}
