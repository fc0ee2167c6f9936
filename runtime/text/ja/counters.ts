/**
 * Japanese counters. A numeral before a counter is a number and is written in digits (3人, 300円), except where the two form a word
 * (一度, 一番, 十分): those stay words unless the context shows that something is counted.
 */
import { PrefixTable } from "../prefix-table.js";

/** The contexts of a counter that forms words with some numerals. */
export interface CounterRule {
	/** Numerals with which it forms a word. */
	readonly words: string;
	/** A longer such numeral (十八番, somebody's favourite song). */
	readonly longWord?: string;
	/** A number all the same after one of these, */
	readonly countedAfter?: readonly string[];
	/** or before one of these. */
	readonly countedBefore?: readonly string[];
	/** Before one of these it is part of a name, not a counter. */
	readonly notBefore?: readonly string[];
}

/** After any counter these show that it counts. */
export const countedBeforeAny: readonly string[] = [
	"目",
	"以上",
	"以下",
	"以内",
	"未満",
	"前後",
	"あたり",
	"当たり",
	"につき",
];

function list(words: string): readonly string[] {
	return words.trim().split(/\s+/);
}

const plainCounters = list(`
限 限目 作 作目 巡目 膳 年 年間 年生 年度 年代 年目 月 月分 月号 か月 ヶ月 ヵ月 カ月 ケ月 ヵ年 カ年 か年 ヶ年 箇月 週 週間 日間 日目 時間 時間目 分間 分半 秒 秒間 世紀
円 円玉 円台 銭 名 名様 個 箇所 か所 ヶ所 ヵ所 カ所 ケ所 か国 ヶ国 ヵ国 カ国 か国語 ヶ国語 本 枚 冊 台 階 階建て 回 回目 歳 才 件 匹 頭 羽 軒 棟 社 校 店 店舗
票 箱 袋 束 着 組 曲 話 章 巻 号 号室 号車 号線 号機 号館 号店 版 位 級 倍 割 厘 桁 文字 列 画 問 頁 ページ 丁目 番目 番線 番地 番手 番台 度目 人目 人分 人組 人乗り 人用 人部屋 人掛け
人兄弟 人姉妹 人家族 人制 泊 食 便 通 周 周年 周目 株 種類 勝 敗 球 機 隻 基 期 期生 畳 坪 等 等分 等級 合目 通り 連休 連勝 連敗 連覇 連続 連泊 連戦 試合 安打 得点 失点 点差 打点 世帯 世代
項目 施設 団体 企業 地点 都市 車線 車種 品目 品種 作品 都道府県 市町村 部屋 区 県 駅 拠点 段階 周期 往復 平方 立方 海里 気圧 光年 人前 回戦 回忌 年忌 回生 部門 工程 機種 路線 
部作 段落 単位 学期 学年 場所 箇条 隻目 次元 進数 進法 位置 系統 方向 議席 打席      打数 番打者 番人気 教室 会議室 着順 着差 馬身 着目 戦目 分咲き 歳児 歳代 代目 列目 枚目 本目 通目
人以上 人以下 ％ % 日後 日前 日以内 日以上 月期 年前 年後 年ぶり 日ぶり 人ぶり
錠 平米 馬力 缶 時限目 か条 ヶ条 カ条
両編成 編成 円 トン キロ メートル グラム センチ ミリ リットル ドル ユーロ ポンド ページ パーセント ポイント セット チーム クラス カロリー ギガ メガ バイト ワット ボルト アンペア ヘルツ インチ マイル ヘクタール ケース ピース パック カップ コマ フロア ゴール シーズン ラウンド ダース
`);

const wordMaking: Readonly<Record<string, CounterRule>> = {
	人: {
		words: "一二",
		countedAfter: list(
			"大人 子供 子ども こども 小人 男性 女性 生徒 学生 幼児 計 合計 定員 約 高齢者",
		),
		notBefore: list("町 称 者 芸 前"),
	},
	人前: { words: "一" },
	切れ: { words: "一千" },
	日: {
		words: "一",
		countedAfter: ["月"],
		countedBefore: ["間", "後"],
		notBefore: ["市", "町"],
	},
	時: {
		words: "一",
		countedAfter: list(
			"午前 午後 深夜 夜 朝 昼 今日 明日 曜 曜日 夜中 今日の 明日の 昨日の 曜の 曜日の 夜中の 昼の 夜の 午後の",
		),
		countedBefore: list("半 から まで 頃 ごろ 過ぎ すぎ 前 ちょうど 台"),
		notBefore: list("避難 休止 休業 限定 限り しのぎ 預か 払い 保護 保存 滞在"),
	},
	分: {
		words: "十",
		countedAfter: list(
			"時 時間 約 あと 徒歩 片道 往復 毎 わずか 残り 歩いて 車で 電車で バスで 所要時間 所要時間は 各",
		),
		countedBefore: list(
			"間 後 前 おき 置き ごと 毎 遅れ 遅刻 早 弱 強 程度 くらい ぐらい ほど 休憩 待 かか 経 たっ たて 過ぎ で着 で到 で行 で終 で作 で戻 延長 の一 ちょっと しかな もかから もあれば だけ待",
		),
		notBefore: ["別"],
	},
	番: {
		words: "一",
		longWord: "十八番",
		countedBefore: list(
			"線 窓口 ホーム ゲート 出口 乗り場 乗場 のりば の方 の窓口 札 地 号 を押す を押して を押した を押せ をお押し ボタン のボタン のキーを のキーで カウンター テーブル レジ 診察 打者 へお にお",
		),
		notBefore: list("町 煎じ 勝負 組 街 館"),
	},
	度: {
		words: "一二",
		countedAfter: list(
			"マイナス 零下 氷点下 気温 気温は 摂氏 体温 プラス 緯 北緯 東経 あと",
		),
		countedBefore: list("台 近く 高 低 上が 下が を記録 を超"),
	},
	杯: {
		words: "一",
		countedAfter: list("コーヒー お茶 ビール 水 小さじ 大さじ"),
	},
	部: { words: "一", notBefore: list("屋 品 隊 分 長") },
	点: {
		words: "一",
		countedBefore: list("差 満点 追加 リード を取 を入"),
	},
	段: { words: "一", notBefore: ["下", "落"] },
	代: {
		words: "一五八千",
		countedBefore: list("後半 前半 半ば 男性 女性"),
	},
	合: {
		words: "一六百千",
		countedAfter: list("米 ご飯 酒"),
		notBefore: ["院", "会"],
	},
	世: { words: "一", notBefore: ["界"] },
	条: {
		words: "一二三四五六七八九十",
		countedAfter: list("憲法 法 第 条例"),
	},
	項: { words: "一", countedAfter: ["条"] },
	戦: { words: "一", countedBefore: ["勝", "敗"] },
	行: { words: "一五" },
	字: { words: "一十八" },
	節: { words: "一" },
	席: { words: "一" },
	皿: { words: "一" },
	室: {
		words: "一",
		countedAfter: ["名"],
		notBefore: list("内 外 町 長 温 料 戸 山 小学"),
	},
	粒: { words: "一" },
	滴: { words: "一" },
	足: { words: "一二" },
	歩: { words: "一" },
	種: { words: "一" },
	両: { words: "一十千" },
	戸: { words: "一二三四五六七八九" },
	元: { words: "一二三四五六七八九", notBefore: ["論", "化", "的"] },
	拍: { words: "一" },
	発: { words: "一", notBefore: ["見", "表", "売"] },
	面: { words: "一二三四五六七八九十百千" },
	区切り: { words: "一" },
	回り: { words: "一二" },
	休み: { words: "一" },
	品: { words: "一" },
	本化: { words: "一" },
};

const alwaysCounting: CounterRule = { words: "" };
const rules = new Map<string, CounterRule>([
	...plainCounters.map((it): [string, CounterRule] => [it, alwaysCounting]),
	...Object.entries(wordMaking),
]);
const table = new PrefixTable(rules.keys());

/** Counters after 第 only. */
const ordinalCounters = [
	...["次", "面", "条", "項", "節", "種", "話", "章", "幕", "場", "弾", "案"],
	...["月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜"],
	...["位", "走者", "巻", "審", "課", "部", "楽章", "報", "夜", "歩", "世代"],
	...["ターミナル", "ビル", "レース", "クォーター", "セット", "試合"],
	...["フェーズ", "ステージ", "ステップ", "ラウンド", "シーズン", "ピリオド"],
	...["四半期", "小隊", "工場", "会議室", "駐車場", "体育館", "倉庫"],
];
const ordinalTable = new PrefixTable(ordinalCounters);

/** The longest counter that begins at `at`. */
export function counterAt(text: string, at: number): string | undefined {
	return table.longestAt(text, at);
}

export function counterRule(counter: string): CounterRule {
	return rules.get(counter) ?? alwaysCounting;
}

export function ordinalCounterAt(text: string, at: number): string | undefined {
	return ordinalTable.longestAt(text, at) ?? table.longestAt(text, at);
}

/** Counters, alone and with what may follow them. */
export function* countedWords(): Generator<string> {
	yield* ordinalCounters;
	yield* countedBeforeAny;
	for (const [counter, { countedBefore = [], notBefore = [] }] of rules) {
		yield counter;
		for (const after of countedBefore) yield counter + after;
		for (const after of notBefore) yield counter + after;
	}
}
