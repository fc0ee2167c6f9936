import t from "tap";
import { openReader, readText } from "../../../runtime/text/ja/reading.js";
import { randomTexts } from "../random-texts.js";

/** Text and its reading. */
const cases: readonly (readonly [string, string])[] = [
	["今日は東京駅で会いました。", "キョウハトウキョウエキデアイマシタ。"],
	["八百屋で三宅さんと一緒に", "ヤオヤデミヤケサントイッショニ"],
	["お母さんが東京に行った", "オカアサンガトウキョウニイッタ"],
	["会議を行った", "カイギヲオコナッタ"],
	["すもももももももものうち", "スモモモモモモモモノウチ"],
	["こんにちは。私は田中です！", "コンニチハ。ワタシハタナカデス！"],
	[
		"2026年3月5日午後3時半",
		"ニセンニジュウロクネンサンガツイツカゴゴサンジハン",
	],
	[
		"二千二十六年三月五日午後三時半",
		"ニセンニジュウロクネンサンガツイツカゴゴサンジハン",
	],
	["二〇二四年", "ニセンニジュウヨネン"],
	["300円", "サンビャクエン"],
	["三百円", "サンビャクエン"],
	["1万2345円", "イチマンニセンサンビャクヨンジュウゴエン"],
	["12,345円", "イチマンニセンサンビャクヨンジュウゴエン"],
	["8000億", "ハッセンオク"],
	["1兆円", "イッチョウエン"],
	["1000万人", "イッセンマンニン"],
	["4月7日", "シガツナノカ"],
	["9時10分", "クジジュップン"],
	["3本と6匹と8回", "サンボントロッピキトハッカイ"],
	["3階", "サンガイ"],
	["1人と2人と4人", "ヒトリトフタリトヨニン"],
	["20日", "ハツカ"],
	["14日", "ジュウヨッカ"],
	["1月1日", "イチガツツイタチ"],
	["1日中", "イチニチチュウ"],
	["10日間", "トオカカン"],
	["0時", "レイジ"],
	["4年間", "ヨネンカン"],
	["2人目", "フタリメ"],
	["3週間", "サンシュウカン"],
	["3分の1", "サンブンノイチ"],
	["三分の一", "サンブンノイチ"],
	["3分間", "サンプンカン"],
	["03-1234-5678", "ゼロサン-イチニサンヨン-ゴロクナナハチ"],
	["一二三四", "イチニサンヨン"],
	["バージョン2.1.3", "バージョンニテンイチテンサン"],
	["2.5人", "ニテンゴニン"],
	["一人前と八百屋", "イチニンマエトヤオヤ"],
	["日本の会社", "ニホンノカイシャ"],
	["50%引き", "ゴジュウパーセントビキ"],
	["1.5倍", "イッテンゴバイ"],
	["0120", "ゼロイチニゼロ"],
	["APIを使ったLLMの開発", "APIヲツカッタLLMノカイハツ"],
	["iPhone 15 Proを", "iPhone ジュウゴ Proヲ"],
	["ｱｲｳとアイウ", "アイウトアイウ"],
	["😀すごい", "😀スゴイ"],
	["", ""],
];

t.test("text is read in katakana", async (t) => {
	const reader = await openReader();
	for (const [text, reading] of cases)
		t.equal(readText(reader, text), reading, text);
});

t.test("morphemes say where they stand", async (t) => {
	const reader = await openReader();
	t.same(
		reader
			.morphemes("😀3時に帰る")
			.map((it) => [it.surface, it.from, it.reading]),
		[
			["😀", 0, "😀"],
			["3時", 2, "サンジ"],
			["に", 4, "ニ"],
			["帰る", 5, "カエル"],
		],
	);
});

t.test("no text breaks it, and nothing of a text is lost", async (t) => {
	const reader = await openReader();
	for (const text of randomTexts(t, 300)) {
		const morphemes = reader.morphemes(text);
		let at = 0;
		for (const it of morphemes) {
			if (it.from !== at || it.surface !== text.slice(it.from, it.to))
				t.fail(`lost at ${at} of ${JSON.stringify(text)}`);
			at = it.to;
		}
		if (at !== text.length) t.fail(`end of ${JSON.stringify(text)}`);
	}
	t.equal(reader.morphemes("漢あア9a".repeat(2000)).at(-1)?.to, 10000);
});
