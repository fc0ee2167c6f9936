/**
 * Decides whether a Chinese number in a text is written in digits: by its kind, the text before it, and what it counts.
 */
import {
	endsLatin,
	isDay,
	operatorBefore,
	rangeBefore,
} from "./number-context.js";
import type { Numeral } from "./numerals.js";
import { isSingle } from "./single-digit.js";
import { countingAt, isOrdinalWritten, latinUnit } from "./units.js";

/** After these a number is in digits, however short. */
const codeBefore =
	/(?:密码|验证码|编号|号码|电话|手机号?|工号|房间号?|尾号|卡号|学号|代码|邮编|账号|口令|分机|转)(?:是|为|：|:|，|,)?$/;
/** Counting up: 一二三. */
const countingUp = "一二三四五六七八九";

export function isWrittenInDigits(text: string, number: Numeral): boolean {
	if (number.written) return true;
	if (text[number.from - 1] === "第") return isOrdinal(text, number);
	switch (number.kind) {
		case "decimal":
			return true;
		case "digits":
			return isDigitString(text, number);
		case "cardinal":
			return isCardinal(text, number);
		case "single":
			return isSingle(text, number);
		case "unclear":
			return false;
	}
}

function isOrdinal(text: string, number: Numeral): boolean {
	return number.value >= 10 || isOrdinalWritten(text, number.to);
}

/** 一二三四五六七: longer rows may be a code where something is said about them, as in 请输入一二三四五六. */
function isAlone(
	text: string,
	{ from, to }: Pick<Numeral, "from" | "to">,
): boolean {
	return (
		!/[\p{L}\p{N}]$/u.test(text.slice(0, from)) &&
		!/^[\p{L}\p{N}]/u.test(text.slice(to))
	);
}

/** 二零二六, 零五, 幺幺零, 九五折, 九八年; not 三四 (three or four), 一二三. */
function isDigitString(text: string, { from, to, digits }: Numeral): boolean {
	const characters = text.slice(from, to);
	if (text.startsWith("几年", to)) return false; // 一九八几年
	// 孤零零, 零零碎碎
	if (/^[零〇]+$/.test(characters))
		return /^[后年号室]/.test(text.slice(to, to + 1));
	if (/[零〇幺]/.test(characters)) return true;
	const before = text.slice(Math.max(0, from - 5), from);
	if (codeBefore.test(before) || endsLatin(before))
		return !isGuess(text, { from, to }) || countingAt(text, to, "") === "none";
	const rising = countingUp.includes(characters);
	if (digits.length > 2)
		return !(
			rising &&
			(digits.length === 3 ||
				(characters.startsWith("一") &&
					(digits.length <= 5 || isAlone(text, { from, to }))))
		);
	const after = text[to] ?? "";
	if (after === "折") return true;
	if (after === "后") return digits.endsWith("5");
	if (after === "年") return !rising && characters !== "三五";
	return false;
}

/** 七八 is seven or eight, 三五 three to five. */
export function isGuess(
	text: string,
	{ from, to }: Pick<Numeral, "from" | "to">,
): boolean {
	const characters = text.slice(from, to);
	if (characters.length !== 2) return false;
	return countingUp.includes(characters) || characters === "三五";
}

/** A lone 十 is as often a word as a number, 十一 as often a holiday. */
function isCardinal(text: string, { from, to, value }: Numeral): boolean {
	const after = text.slice(to, to + 2);
	if (after.startsWith("几")) return false;
	// 一百来人; but 30来人
	if (/^来[号个人岁天块年里斤米]/.test(after) && (value < 20 || value > 90))
		return false;
	if (value > 11) return true;
	const before = text.slice(Math.max(0, from - 8), from);
	if (
		codeBefore.test(before) ||
		operatorBefore.test(before) ||
		rangeBefore.test(before)
	)
		return true;
	if (endsLatin(before) || isDay(after)) return true;
	if (value === 10 && after.startsWith("分") && after !== "分钟")
		return /(?:[差晚早]|点过)$/.test(before);
	if (/^[多余]/.test(after)) return true;
	return (
		isUnit(text, to) ||
		after.startsWith("度") ||
		after.startsWith("秒") ||
		latinUnit.test(text.slice(to, to + 6))
	);
}

function isUnit(text: string, at: number): boolean {
	return (
		countingAt(text, at, "") !== "none" ||
		/^(?:块|毛钱|角|代|岁|级|斤|点|路公?车)/.test(text.slice(at, at + 3))
	);
}
