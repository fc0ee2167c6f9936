/**
 * Japanese numbers in digits, as newspapers and offices write them: 二千二十六年三月五日午後三時半 is 2026年3月5日午後3時半, 三万五千円 3万5000円.
 *
 * Decided in this order:
 *  1. not a number: words in number-words.ts, numerals after 数 何 幾 ("some"), and malformed or approximate numerals (二三日, 〇〇);
 *  2. telephone numbers and addresses, fractions, decimals, versions;
 *  3. a numeral before a counter, unless the two form a word (counters.ts); 一つ to 九つ stay words;
 *  4. a numeral after 第, バージョン, マイナス and similar;
 *  5. the start of a range that ends in one of the above (三から五人);
 *  6. alone: only numerals of more than one character without a kanji next to them, because kanji form names with them (山本五十六, 三十三間堂).
 */
import type { Edit } from "../edits.js";
import { endsWithAny, startsWithAny } from "../prefix-table.js";
import { isCounted } from "./counted.js";
import { counterAt, ordinalCounterAt } from "./counters.js";
import { isLatinUnit } from "./latin-units.js";
import {
	readDecimal,
	readFraction,
	readGroups,
	readSecondsPart,
	type WrittenNumber,
} from "./number-groups.js";
import { wordWithNumerals } from "./number-words.js";
import {
	isArabicDigit,
	isKatakana,
	isNumeral,
	kanji,
	type Numeral,
	readNumeral,
} from "./numerals.js";
import { endsScore, isInSum, isScored } from "./sums.js";

/** After these even a lone digit is a number. */
const labels: readonly string[] = [
	..."バージョン ナンバー レベル ステップ フェーズ パート チャンネル ターミナル ゲート ルーム シーズン エピソード ベスト トップ タイプ ランク".split(
		" ",
	),
	..."マイナス プラス 国道 県道 都道 府道 市道 内線 型番 番号 番号は ナンバーは ロット ユニット ケース プラン 震度 小さじ 大さじ 番地の".split(
		" ",
	),
];
/** A kanji before a separate number. */
const introductions: readonly string[] = [
	..."約 計 合計 総計 平均 最大 最小 最高 最低 最短 最長 総額 全 各 毎 残 時速 気温 体温 身長 体重 胸囲 腹囲 湿度 脈拍 脈拍数 心拍数 血糖値 風速 視力 偏差値 在庫 人数 件数 台数 回数 点数 金額 単価 残高 売上 価格 税込 税抜 定員 年齢 得点 番号 正解 答".split(
		" ",
	),
];
/** Words that begin with a kanji and may follow a number. */
const followers: readonly string[] = [
	..."以上 以下 以内 未満 超 前後 小さじ 大さじ 近 程度 台 弱 強 対".split(" "),
];
const rising = "一二三四五六七八九";
const percentWord = "パーセント";
/** "Some": 数十人, 何百. */
const some = /^[数何幾]$/;
const latin = /^[A-Za-z]$/;

/** A range of three is recognized from its end, which takes two rounds (settled.ts). */
export function writeNumbers(text: string): Edit[] {
	const edits: Edit[] = [];
	let i = 0;
	while (i < text.length) {
		const word = wordWithNumerals(text, i);
		if (word && text[i - 1] !== "第") {
			i += word.length;
			continue;
		}
		const wide = wideDigits(text, i) ?? percentSign(text, i);
		if (wide) {
			edits.push({ from: i, to: wide.to, text: wide.text });
			i = wide.to;
			continue;
		}
		const numeral = readNumeral(text, i);
		if (!numeral) {
			i++;
			continue;
		}
		const written = writeAt(text, numeral);
		if (written) edits.push({ from: i, ...written });
		i = written?.to ?? numeral.to;
	}
	return edits;
}

/** ３５．２ as 35.2. */
function wideDigits(text: string, from: number): WrittenNumber | undefined {
	let to = from;
	while (
		/^[０-９]$/.test(text[to] ?? "") ||
		(to > from &&
			/^[．，]$/.test(text[to] ?? "") &&
			/^[０-９]$/.test(text[to + 1] ?? ""))
	)
		to++;
	if (to === from) return undefined;
	return { to, text: text.slice(from, to).normalize("NFKC") };
}

/** The written form of a numeral and what belongs to it; undefined if it stays. */
function writeAt(text: string, numeral: Numeral): WrittenNumber | undefined {
	const before = text[numeral.from - 1];
	if (isArabicDigit(before) || isArabicDigit(text[numeral.to]))
		return undefined; // 3万五千: the model began it in digits
	if (some.test(before ?? "") || /^[数余々]$/.test(text[numeral.to] ?? ""))
		return undefined;
	const groups = readGroups(text, numeral.from);
	if (groups) return groups;
	const tenths = readSecondsPart(text, numeral.from);
	if (tenths) return tenths;
	const quarter = quarterAt(text, numeral);
	if (quarter !== undefined) return { to: numeral.to - 1, text: quarter };
	if (numeral.shape === "broken" || isGuess(text, numeral)) return undefined;
	const joined = readFraction(text, numeral) ?? readDecimal(text, numeral);
	if (joined) return percent(text, joined);
	if (
		!isNumber(text, numeral) &&
		!leadsToNumber(text, numeral) &&
		!endsGuess(text, numeral)
	)
		return undefined;
	return percent(text, { to: numeral.to, text: numeral.written });
}

/** 二、三十分 is 20 to 30 minutes: the first digit shares the place of the second. */
function isGuess(text: string, { from, shape }: Numeral): boolean {
	if (shape !== "placed" || text[from - 1] !== "、") return false;
	const first = rising.indexOf(text[from - 2] ?? "-");
	if (first < 0 || text[from] !== rising[first + 1]) return false;
	return !isNumeral(text[from - 3]) && text[from - 3] !== "第";
}

/** The 三 of 二十二、三 where nothing is counted. */
function endsGuess(text: string, { from, to, shape }: Numeral): boolean {
	if (shape !== "digit" || text[from - 1] !== "、") return false;
	const tens = /(?:[十百千]([一二三四五六七八])|\d([1-8]))$/.exec(
		text.slice(Math.max(0, from - 3), from - 1),
	);
	const low =
		tens && (tens[2] ? Number(tens[2]) : rising.indexOf(tens[1] ?? "") + 1);
	return low !== null && text[from] === rising[low] && endsScore(text, to);
}

/** The パーセント of 5パーセント. */
function percentSign(text: string, at: number): WrittenNumber | undefined {
	if (!text.startsWith(percentWord, at)) return undefined;
	if (!/^[0-9０-９]$/.test(text[at - 1] ?? "")) return undefined;
	return { to: at + percentWord.length, text: "%" };
}

/** 第一四半期: the first of 四半期, not the fourteenth 半期; nor is 第三四半期 the third or fourth. */
function quarterAt(text: string, { from, to }: Numeral): string | undefined {
	const quarter = rising.indexOf(text[from] ?? "-") + 1;
	const isQuarter =
		quarter >= 1 &&
		quarter <= 4 &&
		to - from === 2 &&
		text[from - 1] === "第" &&
		text.startsWith("四半期", to - 1);
	return isQuarter ? String(quarter) : undefined;
}

function percent(text: string, number: WrittenNumber): WrittenNumber {
	if (!text.startsWith(percentWord, number.to)) return number;
	return { to: number.to + percentWord.length, text: `${number.text}%` };
}

function isNumber(text: string, numeral: Numeral): boolean {
	const { from, to } = numeral;
	if (text[from - 1] === "第") return isOrdinal(text, numeral);
	if (isScored(text, from)) return endsScore(text, to);
	if (isInSum(text, from, to)) return true;
	const counter = counterAt(text, to);
	if (counter !== undefined) return isCounted(text, numeral, counter);
	if (latin.test(text[to] ?? ""))
		return isLatinUnit(text, to) || !kanji.test(text[from - 1] ?? "");
	if (countsKatakana(text, numeral)) return true;
	if (endsWithAny(text, from, labels))
		return !kanji.test(text[to] ?? "") || startsWithAny(text, to, followers);
	if (to - from === 1 && isInName(text, from, to)) return true;
	if (endsKatakanaName(text, numeral) || endsLatinCode(text, numeral))
		return true;
	return to - from > 1 && isNumberAlone(text, numeral);
}

/** MP三, Q三の, A一出口; but Google一択, LINE一つ. */
function isInName(text: string, from: number, to: number): boolean {
	if (!latin.test(text[from - 1] ?? "")) return false;
	if (text.startsWith("出口", to)) return true;
	return /^[一二三四五六七八九]$/.test(text[from] ?? "") && endsScore(text, to);
}

/** ABC一二三; two digits in a row are approximate. */
function endsLatinCode(text: string, { from, to, shape }: Numeral): boolean {
	return (
		shape === "digits" &&
		latin.test(text[from - 1] ?? "") &&
		endsScore(text, to)
	);
}

/** ボーイング七三七, プレイステーション五; not クラス一 (the best of a class), グループ三と四 (a list), リボン八の字, ワルツ一二三. */
function endsKatakanaName(
	text: string,
	{ from, to, shape, written }: Numeral,
): boolean {
	const before = [...text.slice(Math.max(0, from - 3), from)];
	if (before.length < 3 || !before.every(isKatakana)) return false;
	if (!/^[一二三四五六七八九]+$/.test(text.slice(from, to))) return false;
	if (shape === "digits")
		return (
			written.length > 2 &&
			!rising.startsWith(text.slice(from, to)) &&
			endsScore(text, to)
		);
	return (
		written !== "1" &&
		/^(?:[をがはでに。]|の(?![次字])|$)/u.test(text.slice(to, to + 2))
	);
}

/** 第三回, 第二十三; but 第一に. */
function isOrdinal(text: string, { from, to }: Numeral): boolean {
	if (ordinalCounterAt(text, to) !== undefined) return true;
	return to - from > 1 && !kanji.test(text[to] ?? "");
}

/** Any katakana word may be counted, except with 一 (一ファン); not 八ヶ岳, 四ツ谷, 三ノ宮. */
function countsKatakana(text: string, { from, to }: Numeral): boolean {
	if (!isKatakana(text[to]) || !isKatakana(text[to + 1])) return false;
	if (/^[ッツヶヵノェケャュョーンヲ]$/.test(text[to] ?? "")) return false;
	if (text.startsWith("ゼロ", from) && to - from === 2) return false;
	const lone = to - from === 1;
	if (lone && kanji.test(text[from - 1] ?? "")) return false;
	return !(lone && text[from] === "一");
}

function isNumberAlone(text: string, { from, to, shape }: Numeral): boolean {
	if (text.startsWith("ゼロ", from) && to - from === 2) return false;
	const before = text[from - 1] ?? "";
	const after = text[to] ?? "";
	if (kanji.test(before) && !endsWithAny(text, from, introductions))
		return false;
	if (kanji.test(after) && !startsWithAny(text, to, followers)) return false;
	if (after === "つ") return false;
	if (shape === "placed") return true;
	return to - from >= 4 || /[〇零]/.test(text.slice(from, to));
}

/** 三から五人, 二、三日, 三対二. */
function leadsToNumber(text: string, numeral: Numeral): boolean {
	const link = ["から", "〜", "～", "ないし", "、", "対", "と", "×"].find(
		(it) => text.startsWith(it, numeral.to),
	);
	if (link === undefined) return false;
	const from = numeral.to + link.length;
	if (link === "と" && isArabicDigit(text[from]))
		return /^[0-9]{1,4}分の[0-9]/.test(text.slice(from, from + 8));
	if (link !== "対" && isArabicDigit(text[from])) return link !== "、";
	const next = readNumeral(text, from);
	if (!next || next.shape === "broken") return false;
	if (link === "と") return readFraction(text, next) !== undefined;
	if (link === "対") return endsScore(text, next.to);
	if (link === "、" && Number(next.written) !== Number(numeral.written) + 1)
		return false;
	return wordWithNumerals(text, from) === undefined && isNumber(text, next);
}
