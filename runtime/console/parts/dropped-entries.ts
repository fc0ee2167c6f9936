/** Why the device left an entry out, in the language of the page. A reason that lacks a text does not compile. */
import type { ListChanged } from "../../api/word-lists/schemas.js";
import { list, number, plural, texts } from "../texts/texts.js";

export type Dropped = ListChanged["dropped"];
type Reasons = Readonly<Record<Dropped[number]["reason"], string>>;

const en: Reasons = {
	empty: "empty",
	duplicate: "in the list already",
	"too long": "too long: 30 characters are the most",
	"with too few columns": "something is missing: too few commas",
	"with too many columns": "a comma too many",
	"with too many wrong forms": "too many wrong forms",
	"only punctuation": "only punctuation",
	"with emoji or control characters": "has emoji or control characters",
	"with an unknown category": "its category is unknown",
	"with a pronunciation that is not kana": "its pronunciation is not kana",
};

const zh: Reasons = {
	empty: "空白",
	duplicate: "词表中已有",
	"too long": "过长：最多 30 个字符",
	"with too few columns": "内容不全：逗号太少",
	"with too many columns": "逗号太多",
	"with too many wrong forms": "错误写法太多",
	"only punctuation": "只有标点",
	"with emoji or control characters": "含有表情符号或控制字符",
	"with an unknown category": "类别未知",
	"with a pronunciation that is not kana": "读音不是假名",
};

const ja: Reasons = {
	empty: "空です",
	duplicate: "すでにリストにあります",
	"too long": "長すぎます（30 文字まで）",
	"with too few columns": "項目が足りません（カンマが少なすぎます）",
	"with too many columns": "カンマが多すぎます",
	"with too many wrong forms": "誤った表記が多すぎます",
	"only punctuation": "記号だけです",
	"with emoji or control characters": "絵文字か制御文字があります",
	"with an unknown category": "カテゴリーが不明です",
	"with a pronunciation that is not kana": "読みがかなではありません",
};

const reasons = texts<Reasons>({ en, zh, ja });

const summary = texts({
	en: {
		leftOut: (count: number, why: string) =>
			`The device left ${plural(count, "entry", "entries")} out: ${why}`,
		counted: (reason: string, count: string) => `${reason} (${count})`,
	},
	zh: {
		leftOut: (count: number, why: string) =>
			`设备未接受 ${number(count)} 个词条：${why}`,
		counted: (reason: string, count: string) => `${reason}（${count}）`,
	},
	ja: {
		leftOut: (count: number, why: string) =>
			`${number(count)} 件が受け付けられませんでした：${why}`,
		counted: (reason: string, count: string) => `${reason}（${count}）`,
	},
});

/** @returns undefined for a reason that this page does not know, as of a newer device. */
export function reasonText(
	reason: Dropped[number]["reason"],
): string | undefined {
	return reasons()[reason];
}

/** How many were left out, and why; empty: none. */
export function droppedText(dropped: Dropped): string {
	if (dropped.length === 0) return "";
	const m = summary();
	const total = dropped.reduce((sum, { count }) => sum + count, 0);
	const why = dropped.map(({ reason, count }) =>
		m.counted(reasonText(reason) ?? reason, number(count)),
	);
	return m.leftOut(total, list(why));
}
