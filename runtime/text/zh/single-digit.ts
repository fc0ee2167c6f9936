/** Decides whether a single digit is written in digits, by what it counts: 三个 and 五度, not 一下, 四周 or 我们三个. */
import {
	endsLatin,
	isDay,
	operatorBefore,
	rangeBefore,
} from "./number-context.js";
import type { Numeral } from "./numerals.js";
import { countingAt, latinUnit } from "./units.js";

/** The first weekday of a range: 周一至五 and 星期一到五 are days of the week. */
const weekdaysBefore = /(?:周|星期|礼拜)[一二三四五六日天][到至~～]$/;
/** Temperature, or an angle. */
const degreesBefore =
	/(?:零下|零上|气温|温度|体温|水温|室温|高温|低温|最高|最低|高烧|发烧|摄氏|倾斜|旋转|向[左右上下]转?|[调升降烧]到|[是为到]|大约|大概)$/;
/** A telephone key: 按一转人工; but 按一下. */
const keyBehind = /^(?:$|[^\p{L}\p{N}]|[转查键号选返进退重听])/u;
/** Strength of wind or earthquakes: 风力五级. */
const strengthBefore =
	/(?:风力|阵风|震级|地震|强度|烈度)(?:是|为|达到?)?(?:[一二三四五六七八九十\d]{1,2}[到至])?$/;
/** Basement floors: 负一层. */
const floorBefore = /(?:负|地下)$/;
/** Identifies a group rather than counting it: 我们三个. */
const groupBefore = /(?:[我你您他她它咱]们|咱)$/;
/** 两 means "a couple of" after these: 这两天, 过两年. */
const coupleBefore = /[这那前过头后隔没说近明]$/;
/** The first of two parts of a duration: 一分二十秒, 一年零六个月; not 一年零七八个月. */
const beginsSum =
	/^分钟?[零〇一二三四五六七八九十\d]{1,3}秒|^[年天]零(?!一[二两]|二三|三四|三五|四五|五六|六七|七八|八九)[一两二三四五六七八九十\d]/;

export function isSingle(text: string, { from, to }: Numeral): boolean {
	const digit = text[from] as string;
	const before = text.slice(Math.max(0, from - 8), from);
	const after = text.slice(to, to + 6);
	if (operatorBefore.test(before)) return true;
	if (/[按拨]$/.test(before) && keyBehind.test(after)) return true;
	if (latinUnit.test(after)) return true;
	if (endsLatin(before) && isAfterLatin(before.trimEnd(), digit, after))
		return true;
	// 三天两夜
	if (digit === "两" && after.startsWith("夜") && /天$/.test(before))
		return true;
	// two or more of what is named in letters: PM两个, not a PM2
	if (
		/[A-Za-z]{2}$/.test(before) &&
		(digit === "两" || after.startsWith("个")) &&
		countingAt(text, to, digit) !== "measured" &&
		!/^[年天]/.test(after)
	)
		return false;
	if (groupBefore.test(before) && /^[个人位](?!小时|月|星期|礼拜)/.test(after))
		return false;
	if (isDay(after)) return isDate(before, digit, after);
	if (after.startsWith("度")) return isDegrees(before, digit, after);
	if (after.startsWith("级") && strengthBefore.test(before)) return true;
	if (after.startsWith("层") && floorBefore.test(before)) return true;
	if (/[毛角]$/.test(before) && /^分(?![之钟])/.test(after)) return true; // 五角一分
	if (digit === "一" && beginsSum.test(after)) return true;
	if (digit === "四" && after.startsWith("周"))
		return isFourWeeks(before, after);
	const counting = countingAt(text, to, digit);
	if (digit === "零")
		return (
			/^(?:[个分元岁]|公里|米|度)/.test(after) && !/^(?:元素|分之)/.test(after)
		);
	if (/^(?:元|块|毛|角|分钱)/.test(after)) return isMoney(before, digit, after);
	if (counting === "none")
		return (
			rangeBefore.test(before) &&
			!weekdaysBefore.test(before) &&
			/^(?:[^\p{L}]|$)/u.test(after)
		);
	if (counting === "measured") return true;
	if (rangeBefore.test(before)) return true;
	if (digit === "一") return isOneOfARow(before, after);
	return !(
		digit === "两" &&
		coupleBefore.test(before) &&
		/^[天年个次句下步]/.test(after) &&
		!/^个(?:小时|月|星期|礼拜)/.test(after)
	);
}

/** 四周 means "all around", unless it is a duration. */
function isFourWeeks(before: string, after: string): boolean {
	return (
		/[第共约近满过了]$/.test(before) ||
		/^周(?:时间|[后内前]|以[后前内来]|之[后前内]|左右|的?(?:假|时间|课程))/.test(
			after,
		)
	);
}

/** 三室一厅, 两天一夜, 一室一厅: 一 in a row of numbers. */
function isOneOfARow(before: string, after: string): boolean {
	return (
		(/[一两二三四五六七八九][天室厅]$/.test(before) &&
			/^[夜晚厅卫]/.test(after)) ||
		/^室[一两二三四]厅/.test(after)
	);
}

function isDate(before: string, digit: string, after: string): boolean {
	if (after.startsWith("月")) return digit !== "两" && digit !== "零";
	if (after.startsWith("号")) return digit !== "零";
	// 一日 also means "one day"
	return /月$/.test(before) || !"一两".includes(digit);
}

function isDegrees(before: string, digit: string, after: string): boolean {
	if (/^度(?:电|数)/.test(after)) return true;
	if (digit === "零") return true;
	if (degreesBefore.test(before) || rangeBefore.test(before)) return true;
	// 一度, 三度夺冠
	return "四五六七八九".includes(digit) && !/^度[假过量]/.test(after);
}

function isMoney(before: string, digit: string, after: string): boolean {
	if (/^(?:块钱|元钱|毛钱|分钱)/.test(after)) return true;
	if (after.startsWith("毛") && "四五六七八九".includes(digit))
		return !/^毛[党病]/.test(after);
	if (/^角[形铁板巾]/.test(after)) return false;
	if (/^[毛角]/.test(after))
		return (
			/[块元]$/.test(before) ||
			/^[毛角][一二三四五六七八九\d]分(?![之钟])/.test(after)
		);
	if (after.startsWith("元"))
		return digit !== "二" && !/^元[论化旦素次复]/.test(after);
	// 一块 also means "together" or "a piece"
	return digit !== "一" && digit !== "二";
}

/** A4, 5G and G7; but "app一下". */
function isAfterLatin(before: string, digit: string, after: string): boolean {
	const letters = /[A-Za-z]+$/.exec(before)?.[0].length ?? 0;
	const next = after[0] ?? "";
	const closed = !/\p{Script=Han}/u.test(next);
	if (digit === "一")
		return closed || /^(?:号|区|座|栋|楼|层|口|出口)/.test(after);
	if (digit === "两" || digit === "零") return false;
	if (letters === 1) return !/^[个人位]/.test(after);
	return (
		closed ||
		/^[的版代型系号款机芯手和跟与是有就很吧吗呢了比要也都还]/.test(next)
	);
}
