import { texts } from "../texts/texts.js";

export const optionsTexts = texts({
	en: {
		title: "Recognition",
		spoken: "Spoken language",
		hotwords: "Hotwords",
		hotwordsHint: "Names and terms to expect, separated by commas",
		hotwordsList: "Stored hotwords",
		corrections: "Corrections",
		forbidden: "Forbidden words",
		silence: "Pause that ends a sentence",
		punctuation: "Punctuation",
		numbers: "Numbers as digits",
		fillers: "Leave out fillers",
		telephone: "Telephone quality",
		speakers: "Tell speakers apart",
		none: "None",
		more: "More options",
		"en-US": "English",
		"zh-cmn-Hans-CN": "Chinese",
		"ja-JP": "Japanese",
		"zh-cmn-Hans-CN-en-US": "Chinese with English",
		"ja-JP-en-US": "Japanese with English",
	},
	zh: {
		title: "识别选项",
		spoken: "语种",
		hotwords: "热词",
		hotwordsHint: "会出现的人名和术语，用逗号分隔",
		hotwordsList: "已保存的热词",
		corrections: "纠错词",
		forbidden: "屏蔽词",
		silence: "断句停顿",
		punctuation: "加标点",
		numbers: "用阿拉伯数字书写数字",
		fillers: "过滤语气词",
		telephone: "电话音质",
		speakers: "区分说话人",
		none: "无",
		more: "更多选项",
		"en-US": "英语",
		"zh-cmn-Hans-CN": "中文",
		"ja-JP": "日语",
		"zh-cmn-Hans-CN-en-US": "中英混合",
		"ja-JP-en-US": "日英混合",
	},
	ja: {
		title: "認識の設定",
		spoken: "話す言語",
		hotwords: "ホットワード",
		hotwordsHint: "出てくる名前や用語をカンマ区切りで",
		hotwordsList: "登録済みホットワード",
		corrections: "修正語",
		forbidden: "禁止語",
		silence: "文を区切る無音",
		punctuation: "句読点をつける",
		numbers: "数を数字で書く",
		fillers: "「えっと」などを省く",
		telephone: "電話音質",
		speakers: "話者を区別する",
		none: "なし",
		more: "その他の設定",
		"en-US": "英語",
		"zh-cmn-Hans-CN": "中国語",
		"ja-JP": "日本語",
		"zh-cmn-Hans-CN-en-US": "中国語と英語",
		"ja-JP-en-US": "日本語と英語",
	},
});

/** @param lang as the interface names it. */
export function languageName(lang: string): string {
	const names: Readonly<Record<string, unknown>> = optionsTexts();
	const name = names[lang];
	return typeof name === "string" ? name : lang;
}

/** For `lang` of a transcript in it. */
export function tagOf(lang: string): string {
	if (lang.startsWith("zh")) return "zh-Hans";
	return lang.slice(0, 2);
}

/** Hotwords of the language have a pronunciation and a category beside their writing. */
export function needsReading(language: string): boolean {
	return language.startsWith("ja");
}
