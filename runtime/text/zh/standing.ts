/**
 * Whether a Chinese number is written in digits where it stands: by its kind, by what is before it, by what it counts.
 */
import { isNumeral, type Numeral } from "./numerals.js";
import { countingAt, isOrdinalWritten, latinUnit } from "./units.js";

/** Digits follow, however few. */
const codeBefore =
	/(?:密码|验证码|编号|号码|电话|手机号?|工号|房间号?|尾号|卡号|学号|代码|邮编|账号|口令|分机|转)(?:是|为|：|:|，|,)?$/;
/** Something is calculated or compared with what stands before. */
const operatorBefore =
	/[零〇一幺二两三四五六七八九十百千万亿\d](?:[比加减乘]|乘以|除以|等于)$/;
/** The other end of what began with a digit. */
const rangeBefore = /[零〇一幺二两三四五六七八九十百千万亿\d%个天年][到至~～]$/;
/** Warmth, or an angle. */
const degreesBefore =
	/(?:零下|零上|气温|温度|体温|水温|室温|高温|低温|最高|最低|高烧|发烧|摄氏|倾斜|旋转|向[左右上下]转?|[调升降烧]到|[是为到]|大约|大概)$/;
/** A key of a telephone: 按一转人工; but 按一下. */
const keyBehind = /^(?:$|[^\p{L}\p{N}]|[转查键号选返进退重听])/u;
/** How strong: 风力五级. */
const strengthBefore = /(?:风力|阵风|震级|地震|强度|烈度)(?:是|为|达到?)?$/;
/** Found below the ground: 负一层. */
const floorBefore = /(?:负|地下)$/;
/** Who is meant, not how many: 我们三个. */
const groupBefore = /(?:[我你您他她它咱]们|咱)$/;
/** 两 is "a couple of": 这两天, 过两年. */
const coupleBefore = /[这那前过头后隔没说近明]$/;
/** One by one: 一二三. */
const countingUp = "一二三四五六七八九";

export function isStandingNumber(text: string, number: Numeral): boolean {
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

/** 二零二六, 零五, 幺幺零, 九五折, 九八年; not 三四 (three or four), 一二三. */
function isDigitString(text: string, { from, to, digits }: Numeral): boolean {
	const said = text.slice(from, to);
	// 孤零零, 零零碎碎
	if (/^[零〇]+$/.test(said)) return /^[后年号室]/.test(text.slice(to, to + 1));
	if (/[零〇幺]/.test(said)) return true;
	const before = text.slice(Math.max(0, from - 5), from);
	if (codeBefore.test(before) || endsLatin(before)) return true;
	const rising = countingUp.includes(said);
	if (digits.length > 2)
		return !(
			rising &&
			(digits.length === 3 || (said.startsWith("一") && digits.length <= 5))
		);
	const behind = text[to] ?? "";
	if (behind === "折") return true;
	if (behind === "后") return digits.endsWith("5");
	if (behind === "年") return !rising && said !== "三五";
	return false;
}

/** 十 alone is as often a word as a number, 十一 as often a holiday. */
function isCardinal(text: string, { from, to, value }: Numeral): boolean {
	const behind = text.slice(to, to + 2);
	if (behind.startsWith("几")) return false;
	// 一百来人; but 30来人
	if (/^来[号个人岁天块年里斤米]/.test(behind) && (value < 20 || value > 90))
		return false;
	if (value > 11) return true;
	const before = text.slice(Math.max(0, from - 8), from);
	if (
		codeBefore.test(before) ||
		operatorBefore.test(before) ||
		rangeBefore.test(before)
	)
		return true;
	if (endsLatin(before) || isDay(behind)) return true;
	if (value === 10 && behind.startsWith("分") && behind !== "分钟")
		return /[差晚早]$/.test(before);
	if (/^[多余]/.test(behind)) return true;
	return (
		isUnit(text, to) ||
		behind.startsWith("度") ||
		behind.startsWith("秒") ||
		latinUnit.test(text.slice(to, to + 6))
	);
}

function isUnit(text: string, at: number): boolean {
	return (
		countingAt(text, at, "") !== "none" ||
		/^(?:块|毛钱|角|代|岁|级|斤|点|路公?车)/.test(text.slice(at, at + 3))
	);
}

function isSingle(text: string, { from, to }: Numeral): boolean {
	const digit = text[from] as string;
	const before = text.slice(Math.max(0, from - 8), from);
	const behind = text.slice(to, to + 6);
	if (operatorBefore.test(before)) return true;
	if (/[按拨]$/.test(before) && keyBehind.test(behind)) return true;
	if (latinUnit.test(behind)) return true;
	if (endsLatin(before) && isAfterLatin(before.trimEnd(), digit, behind))
		return true;
	if (groupBefore.test(before) && /^[个人位](?!小时|月|星期|礼拜)/.test(behind))
		return false;
	if (isDay(behind)) return isDate(before, digit, behind);
	if (behind.startsWith("度")) return isDegrees(before, digit, behind);
	if (behind.startsWith("级") && strengthBefore.test(before)) return true;
	if (behind.startsWith("层") && floorBefore.test(before)) return true;
	if (digit === "四" && behind.startsWith("周"))
		return isFourWeeks(before, behind);
	const counting = countingAt(text, to, digit);
	if (digit === "零")
		return (
			/^(?:[个分元岁]|公里|米|度)/.test(behind) &&
			!/^(?:元素|分之)/.test(behind)
		);
	if (/^(?:元|块|毛|角|分钱)/.test(behind))
		return isMoney(before, digit, behind);
	if (counting === "none")
		return rangeBefore.test(before) && /^(?:[^\p{L}]|$)/u.test(behind);
	if (counting === "measured") return true;
	if (rangeBefore.test(before)) return true;
	if (digit === "一") return isOneOfARow(before, behind);
	return !(
		digit === "两" &&
		coupleBefore.test(before) &&
		/^[天年个次句下步]/.test(behind) &&
		!/^个(?:小时|月|星期|礼拜)/.test(behind)
	);
}

/** 四周 is all around, unless it lasts. */
function isFourWeeks(before: string, behind: string): boolean {
	return (
		/[第共约近满过了]$/.test(before) ||
		/^周(?:时间|[后内前]|以[后前内来]|之[后前内]|左右|的?(?:假|时间|课程))/.test(
			behind,
		)
	);
}

/** 三室一厅, 两天一夜, 一室一厅: one among numbers. */
function isOneOfARow(before: string, behind: string): boolean {
	return (
		(/[一两二三四五六七八九][天室厅]$/.test(before) &&
			/^[夜晚厅卫]/.test(behind)) ||
		/^室[一两二三四]厅/.test(behind)
	);
}

/** 月, 号 or 日 behind. */
function isDay(behind: string): boolean {
	return /^(?:月|号|日)/.test(behind);
}

function isDate(before: string, digit: string, behind: string): boolean {
	if (behind.startsWith("月")) return digit !== "两" && digit !== "零";
	if (behind.startsWith("号")) return digit !== "零";
	// 一日 is a day, too
	return /月$/.test(before) || !"一两".includes(digit);
}

function isDegrees(before: string, digit: string, behind: string): boolean {
	if (/^度(?:电|数)/.test(behind)) return true;
	if (digit === "零") return true;
	if (degreesBefore.test(before) || rangeBefore.test(before)) return true;
	// 一度, 三度夺冠
	return "四五六七八九".includes(digit) && !/^度[假过量]/.test(behind);
}

function isMoney(before: string, digit: string, behind: string): boolean {
	if (/^(?:块钱|元钱|毛钱|分钱)/.test(behind)) return true;
	if (behind.startsWith("毛") && "四五六七八九".includes(digit))
		return !/^毛[党病]/.test(behind);
	if (/^[毛角]/.test(behind)) return /[块元]$/.test(before);
	if (behind.startsWith("元"))
		return digit !== "二" && !/^元[论化旦素次复]/.test(behind);
	// 一块 is together, or a piece
	return digit !== "一" && digit !== "二";
}

/** A4, 5G and G7; but "app一下". */
function isAfterLatin(before: string, digit: string, behind: string): boolean {
	const letters = /[A-Za-z]+$/.exec(before)?.[0].length ?? 0;
	const next = behind[0] ?? "";
	const closed = !/\p{Script=Han}/u.test(next);
	if (digit === "一")
		return closed || /^(?:号|区|座|栋|楼|层|口|出口)/.test(behind);
	if (digit === "两" || digit === "零") return false;
	if (letters === 1) return !/^[个人位]/.test(behind);
	return (
		closed ||
		/^[的版代型系号款机芯手和跟与是有就很吧吗呢了比要也都还]/.test(next)
	);
}

/** A Latin word stands before, perhaps with a space behind it. */
export function endsLatin(before: string): boolean {
	return /[A-Za-z][ ·]?$/.test(before);
}

/** A digit behind a unit belongs to what follows: 三块五个. */
export function standsAfterPoint(behind: string): boolean {
	return (
		isNumeral(behind[0]) ||
		countingAt(behind, 0, "") !== "none" ||
		/^[几多点月号日分钟折级成]/.test(behind)
	);
}
