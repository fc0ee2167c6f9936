/**
 * Times of day in Chinese: 下午三点半, 八点零五分, 十点二十. 点 may be an hour, a decimal point, a small amount (快一点) or a point that is made
 * (三点建议): the context decides.
 */
import { type Numeral, readInteger } from "./numerals.js";
import { isAfterHour } from "./units.js";

export interface ClockTime {
	readonly hour: Numeral;
	/** Absent: the hour is full, or 半, 一刻 or 三刻 follows, which stays as it is. */
	readonly minute?: Numeral;
	readonly to: number;
}

/** A part of the day right before an hour, */
const partOfDay =
	/(?:凌晨|清晨|清早|早上|早晨|上午|中午|正午|下午|午后|傍晚|晚上|夜里|夜间|半夜|深夜|午夜|今早|今晚|明早|明晚|昨晚|当晚)(?:的|大概|大约|差不多)?$/;
/** or only a day. */
const someDay =
	/(?:[号日天]|(?:周|星期|礼拜)[一二三四五六日天]|现在是?)(?:的|大概|大约|差不多)?$/;
/** Shows after a full hour that it is a time. */
const clockAfter =
	/^(?:钟|整|半|[一三]刻|多钟|左右|前后|之?前|之?后|以前|以后|准时|开会|开始|开门|开幕|开饭|出发|集合|上课|下课|上班|下班|起飞|发车|起床|睡觉|到达|见面|[到至][零一二两三四五六七八九十\d]{1,3}点)/;
/** 今晚八点六个人: a table for six, not 8.6. */
const guestsAfter = /^[一二三四五六七八九](?:[人位名]|个人)/;
/** 一点 is a small amount after these. */
const smallAmount =
	/[快早晚慢大小多少高低好远近久有差这那了再长短轻重便宜贵清楚]$/;
/** 一点 means "at all" before these: 一点都不冷. */
const hardlyAnything = /^(?:都|也|儿|点|不|没)/;

/** A score has decimals: 评分八点零分. */
const scoreBefore =
	/(?:[评打得满总]分|分数|成绩|[平人]均分?|豆瓣|雅思|[得打考评拿给获][了到出得为]?)(?:是|为|只有|高达|达到?)?[：:，,]?$/;
/** 零 before the unit 分: 九点零分; not 八点零分钟, 五点零分贝. */
const fullHour = /^分(?!钟|贝|米|以[上下])/;

/** @param hour an integer before 点. */
export function readClock(text: string, hour: Numeral): ClockTime | undefined {
	const isHour =
		hour.value <= 24 && hour.kind !== "decimal" && text[hour.to] === "点";
	if (!isHour) return undefined;
	const at = hour.to + 1;
	const before = text.slice(Math.max(0, hour.from - 8), hour.from);
	const inDay =
		partOfDay.test(before) ||
		someDay.test(before) ||
		(hour.value > 1 && /[早晚]$/.test(before));
	const minute = readMinute(text, at, inDay, before);
	// 零点零五 is a decimal, 零点零五分 and 凌晨零点零五 are times
	const isSmall =
		hour.value === 0 && minute?.kind === "digits" && !inDay && !minute.written;
	if (isSmall && text[minute.to] !== "分") return undefined;
	if (minute) {
		const to = minute.to + (text[minute.to] === "分" ? 1 : 0);
		return { hour, minute, to };
	}
	const after = text.slice(at, at + 8);
	if (/^(?:半|[一三]刻)/.test(after)) return { hour, to: at };
	if (inDay && guestsAfter.test(after) && !/每/.test(before))
		return { hour, to: at };
	if (isHourOfRow(hour, before, after)) return { hour, to: at };
	// 快一点一起走 is no time
	if (isAfterHour(text, at))
		return inDay || hour.value > 1 ? { hour, to: at } : undefined;
	if (/^[零〇一幺二三四五六七八九\d]/.test(after) && !clockAfter.test(after))
		return undefined;
	if (inDay || clockAfter.test(after))
		return isSmallAmount(hour, before, after) ? undefined : { hour, to: at };
	// 一点 and 零点 alone are not times
	return hour.value <= 1 || hour.written ? undefined : { hour, to: at };
}

/** 三点四点都行: the next hour is named; 上涨三点五点 is a decimal. */
function isHourOfRow(hour: Numeral, before: string, after: string): boolean {
	const next = readInteger(after, 0);
	if (!next || after[next.to] !== "点") return false;
	if (partOfDay.test(before)) return next.value <= 24;
	// 一点两点 are small amounts
	return (
		hour.value > 1 &&
		next.value === hour.value + 1 &&
		!/[涨跌升降调高低]/.test(before)
	);
}

function isSmallAmount(hour: Numeral, before: string, after: string): boolean {
	if (hour.value !== 1 || hour.written) return false;
	if (hardlyAnything.test(after)) return true;
	if (partOfDay.test(before)) return false;
	if (/^(?:钟|整|多钟|[到至])/.test(after)) return false;
	if (someDay.test(before))
		return !clockAfter.test(after) && /^[\p{L}\p{N}]/u.test(after);
	return smallAmount.test(before);
}

/** 三点零五公里 is 3.05公里; 三点零五升旗 and 八点零五楼下见 are times. */
const measured =
	/^(?:[米度元秒倍%个吨]|公[里斤分顷]|千[米克瓦]|[厘毫微]米|平[方米]|立方|毫升|美[元金]|欧元|英[镑里尺寸]|港[元币])/;

/** 二十, 零五, 十五分; a lone digit is a minute only before 分 and after a part of the day; 零 wherever no score is given. */
function readMinute(
	text: string,
	at: number,
	inDay: boolean,
	before: string,
): Numeral | undefined {
	const minute = readInteger(text, at);
	if (!minute || !(minute.value <= 59)) return undefined;
	const after = text.slice(minute.to, minute.to + 2);
	const inMinutes = after.startsWith("分") && after !== "分之";
	if (/^[万亿点]/.test(after)) return undefined;
	switch (minute.kind) {
		case "cardinal":
			return minute;
		case "digits":
			// 零五; already in digits, any two
			return minute.digits.length === 2 &&
				(inMinutes ||
					minute.written ||
					(minute.digits[0] === "0" &&
						minute.value > 0 &&
						!measured.test(after)))
				? minute
				: undefined;
		case "single":
			return inMinutes &&
				(inDay ||
					minute.written ||
					(minute.value === 0 &&
						fullHour.test(after) &&
						!scoreBefore.test(before)))
				? minute
				: undefined;
		default:
			return undefined;
	}
}
