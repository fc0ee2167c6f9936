/**
 * Chinese expressions of several numbers: times, ranges, scores and sums, and digits after a unit.
 */
import { readClock } from "./clock.js";
import { isWrittenInDigits } from "./digits-or-words.js";
import { belongsToNext, endsLatin } from "./number-context.js";
import { type Numeral, readInteger } from "./numerals.js";
import { isUnnumbered, type Reading, readAmount, written } from "./reading.js";
import { isOnePriced } from "./units.js";

export function readTime(text: string, at: number): Reading | undefined {
	const hour = readInteger(text, at);
	if (!hour || text[at - 1] === "第") return undefined;
	const time = readClock(text, hour);
	if (!time) return undefined;
	if (time.minute && endsLatin(text.slice(Math.max(0, at - 2), at)))
		// Python三点十二
		return {
			edits: [
				{
					from: at,
					to: time.minute.to, // IMDb八点零分: 分 stays
					text: `${hour.digits}.${time.minute.digits}`,
				},
			],
			to: time.minute.to,
		};
	const edits = [written(hour)];
	if (time.minute) {
		const { minute } = time;
		const digits = minute.digits;
		const alone = text[minute.to] !== "分";
		edits.push({
			from: minute.from,
			to: minute.to,
			text: alone ? digits.padStart(2, "0") : digits,
		});
		// 三点十五分二十秒
		const second =
			text[minute.to] === "分" ? readInteger(text, time.to) : undefined;
		if (second && second.value < 60 && text[second.to] === "秒")
			return { edits: [...edits, written(second)], to: second.to };
	}
	return { edits, to: time.to };
}

/** Numbers on both sides: 三比二, 二加三等于五, 三到五天, 从一到十. */
export function readPair(text: string, at: number): Reading | undefined {
	const first = readAmount(text, at);
	if (!first) return undefined;
	const between = /^(?:[到至~～]|乘以|除以|等于|[比加减乘])/.exec(
		text.slice(first.to, first.to + 2),
	)?.[0];
	if (!between) return undefined;
	const second = readAmount(text, first.to + between.length);
	if (!second || isUnnumbered(text, at)) return undefined;
	if (/^[到至~～]/.test(between)) {
		if (sharesPlace(text, first, second)) return { edits: [], to: second.to };
		const clock = readClock(text, second);
		const stands =
			clock !== undefined
				? first.digits !== "1" || text[at - 1] === "从"
				: text[at - 1] === "从" || isRangeInDigits(text, first, second);
		if (!stands) return undefined;
		return { edits: [written(first)], to: first.to + between.length };
	}
	// the right side may continue: 二加三等于五
	return { edits: [written(first)], to: first.to + between.length };
}

/** 五到八千 is 5000 to 8000, not 5 to 8000; but 从一到五百, 第三到五百. */
function sharesPlace(text: string, first: Numeral, second: Numeral): boolean {
	if (
		first.kind !== "single" ||
		first.written ||
		fromOne.test(text[first.from - 1] ?? "")
	)
		return false;
	const amount = text.slice(second.from, second.to);
	const count = readInteger(amount[0] ?? "", 0);
	return (
		count?.kind === "single" &&
		/^\p{Script=Han}[百千][万亿]?$/u.test(amount) &&
		first.value > 0 &&
		first.value < count.value
	);
}

const fromOne = /[从由自第]/;

/** One end of a range is a number if the unit after the other makes it one. */
function isRangeInDigits(
	text: string,
	first: Numeral,
	second: Numeral,
): boolean {
	return (
		isWrittenInDigits(text, second) ||
		isWrittenInDigits(text, { ...first, to: second.to })
	);
}

/** Words that begin with 一 and may follow an amount: 五块一共十块. */
const wordWithOne =
	/^一(?:[共样般定些下旦并向边模]|起(?!步)|直(?!接)|会(?!员))/;
/** Things that begin with a numeral: 两块三明治. Those after which a price may end (三块五香菜, 三块七彩票) are left out. */
const nameWithNumeral =
	/^(?:三明治|三文鱼|三星手|[三四五六七八][角边]形|三角[铁板巾]|四川|五花肉|五仁月|五星红|七彩[石布]|八宝[粥饭菜鸭]|二手表|九宫格)/;

/** The digit or two after a unit; not a word that begins with one. */
function readTail(text: string, at: number): Numeral | undefined {
	const tail = readInteger(text, at);
	if (!tail || nameWithNumeral.test(text.slice(at, at + 3))) return undefined;
	const isOfNext = tail.kind === "digits" && isPerUnit(text, tail.to - 1);
	if (!isOfNext && !beginsWord(text, tail.to - 1)) return tail;
	// 一米八一直, 三块五一斤: the digits before 一
	return readInteger(text.slice(0, tail.to - 1), at);
}

function beginsWord(text: string, at: number): boolean {
	return wordWithOne.test(text.slice(at, at + 3));
}

/** The 一斤 of 三块五一斤. */
function isPerUnit(text: string, at: number): boolean {
	return text[at] === "一" && isOnePriced(text, at + 1);
}

/** Digits after a unit: 三块五, 一米七八, 三十七度二, 十一秒二. */
export function readWithTail(text: string, at: number): Reading | undefined {
	if (text[at - 1] === ".") return undefined; // H.264
	const number = readAmount(text, at);
	if (!number || isUnnumbered(text, at)) return undefined;
	const unit = /^[块米度毛秒]/.exec(text.slice(number.to, number.to + 1))?.[0];
	if (!unit) return undefined;
	// 一米七几
	if (/^[一二三四五六七八九]几/.test(text.slice(number.to + 1)))
		return { edits: [], to: number.to + 3 };
	const tail = readTail(text, number.to + 1);
	if (!tail || tail.written) return undefined;
	const after = text.slice(tail.to, tail.to + 2);
	const endsBeforeOne = beginsWord(text, tail.to) || isPerUnit(text, tail.to);
	// 一米七八; of prices 七块八五一升, 八块零五一斤
	const short =
		tail.kind === "single" ||
		((/^[米秒]$/.test(unit) || (unit === "块" && endsBeforeOne)) &&
			tail.kind === "digits" &&
			tail.digits.length === 2);
	const coin = unit === "块" && tail.kind === "single" && /^[毛角]/.test(after);
	const isWhole = endsBeforeOne || !belongsToNext(after);
	if (!coin && !(short && isWhole)) return undefined;
	// 八块五毛六, 五毛六一度
	if (unit === "毛" && text[at - 1] !== "块" && !isPerUnit(text, tail.to))
		return undefined;
	if (unit === "度" && number.value < 30) return undefined;
	if (unit === "秒" && tail.digits === "1") return undefined; // 十秒一到
	const edits = [written(number), written(tail)];
	if (!coin) return { edits, to: tail.to };
	const cents = readInteger(text, tail.to + 1);
	return cents?.kind === "single" &&
		!belongsToNext(text.slice(cents.to, cents.to + 2).replace(/^分/, ""))
		? { edits: [...edits, written(cents)], to: cents.to }
		: { edits, to: tail.to };
}
