import { texts } from "../../texts/texts.js";

export const setUpTexts = texts({
	en: {
		invitation:
			"This device is new: give it a name, choose languages, and see whether it understands you.",
		start: "Set up the device",
		later: "Later",
		title: "Set up this device",
		nameTitle: "1. Name",
		name: "Name of the device",
		nameHint:
			"Shown here, so that several devices can be told apart. Its address stays the same. Empty: its host name.",
		languageTitle: "2. Languages",
		ofPage: "Language of this page",
		ofSpeech: "Language that you speak",
		languageHint: "Both are kept in this browser, and can be changed any time.",
		speechTestTitle: "3. Try it",
		speechTestLead:
			"Speak a sentence, and see whether the device understands it.",
		done: "Done",
		keeping: "Saving",
	},
	zh: {
		invitation:
			"这是一台新设备：请为它命名、选择语言，并试试它能否听懂您的话。",
		start: "设置设备",
		later: "以后再说",
		title: "设置这台设备",
		nameTitle: "1. 名称",
		name: "设备名称",
		nameHint:
			"显示在本页面上，便于区分多台设备。地址保持不变。留空则使用主机名。",
		languageTitle: "2. 语言",
		ofPage: "页面语言",
		ofSpeech: "您所说的语言",
		languageHint: "两项都保存在此浏览器中，可随时更改。",
		speechTestTitle: "3. 试说",
		speechTestLead: "请说一句话，看看设备能否听懂。",
		done: "完成",
		keeping: "正在保存",
	},
	ja: {
		invitation:
			"この本体は新しく、まだ設定されていません。名前と言語を決め、話が聞き取れるか確かめてください。",
		start: "本体を設定",
		later: "後で",
		title: "この本体を設定",
		nameTitle: "1. 名前",
		name: "本体の名前",
		nameHint:
			"複数の本体を区別できるように、このページに表示されます。アドレスは変わりません。空欄ならホスト名です。",
		languageTitle: "2. 言語",
		ofPage: "このページの言語",
		ofSpeech: "話す言語",
		languageHint: "どちらもこのブラウザーに保存され、いつでも変更できます。",
		speechTestTitle: "3. 話してみる",
		speechTestLead: "一文を話して、聞き取れるか確かめてください。",
		done: "完了",
		keeping: "保存しています",
	},
});
