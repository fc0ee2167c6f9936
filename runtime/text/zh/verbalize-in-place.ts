/**
 * Reads a number without signs according to its context: with its places, digit by digit (years, telephones, rooms, plates), or as 两.
 */
import { verbalizeDigits, verbalizeNumber } from "./spoken-number.js";
import { countingAt, isNumbered } from "./units.js";

const readAsDigits =
	/(?:密码|验证码|编号|号码|电话|手机号?|工号|房间号?|尾号|卡号|学号|代码|邮编|账号|口令|分机|热线|拨打|拨|转)(?:是|为|：|:)?$/;
const rooms =
	/^(?:号?房|室|会议室|教室|宿舍|号?病房|路公?车?|航班|次列车|次航班)/;
const emergency = /^(?:11[0249]|12[02])$/;
/** Well-known service numbers, read digit by digit. */
const serviceLine = /^(?:10010|10086|123(?:06|15|20|45|48|66)|95\d{3})$/;

/** A number without signs, read according to the text around it. */
export function verbalizeInPlace(found: RegExpExecArray, text: string): string {
	const number = found[0].replaceAll(",", "");
	const from = found.index;
	const after = text.slice(from + found[0].length, from + found[0].length + 8);
	const before = text.slice(Math.max(0, from - 6), from);
	// commas group places
	if (number.includes(".") || number !== found[0])
		return verbalizeNumber(number);
	if (isReadByDigits(number, before, after)) return verbalizeDigits(number);
	if (number === "2" && isCoupled(text, from + 1, before)) return "两";
	return verbalizeNumber(number);
}

function isReadByDigits(
	number: string,
	before: string,
	after: string,
): boolean {
	const { length } = number;
	const value = Number(number);
	if (length > 1 && number.startsWith("0")) return true;
	if (/[A-Za-z]·?$/.test(before)) return length > 2;
	if (readAsDigits.test(before)) return length > 2 || /尾号.?$/.test(before);
	if (after.startsWith("年"))
		return length === 4
			? (value > 1000 && value < 2100 && value % 1000 !== 0) || value === 2000
			: length === 2 &&
					!after.startsWith("年代") &&
					(isYear(value, before) || /^年(?:的?\d{1,2}月)/.test(after));
	if (after.startsWith("后")) return length === 2 && /^[5-9][05]$/.test(number);
	if (rooms.test(after)) return length === 3 || length === 4;
	if (
		emergency.test(number) &&
		(/[打拨叫]$/.test(before) || /^(?:报警|急救|电话|热线|平台)/.test(after))
	)
		return true;
	const isCount =
		/^[百千万亿多余]/.test(after) || countingAt(after, 0, "") !== "none";
	if (isCount) return false;
	if (serviceLine.test(number)) return true;
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
	const after = text.slice(at, at + 3);
	if (after.startsWith("两")) return false;
	if (/^[百千万亿块毛度]/.test(after)) return true;
	if (after.startsWith("点")) return !/^点\d(?!\d)/.test(after);
	return countingAt(text, at, "") !== "none" && !isNumbered(text, at);
}
