/** How Japanese counters are pronounced, and how they change the number before them: 1回 イッカイ, 3本 サンボン, 4時 ヨジ. */
/** How a counter changes the number before it and itself. */
export type CounterSound =
	/** Nothing changes: 2台. */
	| "plain"
	/** イッ ロッ ハッ ジュッ ヒャッ: 1回. */
	| "k"
	/** The same, and voiced after three: 3階. */
	| "k-voiced"
	/** イッ ハッ ジュッ: 1歳. */
	| "s"
	| "s-voiced"
	/** イッポン サンボン. */
	| "h"
	/** イップン サンプン ヨンプン. */
	| "h-minutes"
	/** ヨ シチ ク before it: 4時. */
	| "hours"
	| "months"
	/** ヨ before it: 4年, 4円. */
	| "years"
	| "days"
	| "people";

export const counters: Readonly<
	Record<string, readonly [string, CounterSound]>
> = {
	回目: ["カイメ", "k"],
	回: ["カイ", "k"],
	階: ["カイ", "k-voiced"],
	個: ["コ", "k"],
	件: ["ケン", "k"],
	軒: ["ケン", "k-voiced"],
	曲: ["キョク", "k"],
	級: ["キュウ", "k"],
	課: ["カ", "k"],
	か月: ["カゲツ", "k"],
	ヶ月: ["カゲツ", "k"],
	ヵ月: ["カゲツ", "k"],
	カ月: ["カゲツ", "k"],
	か所: ["カショ", "k"],
	ヶ所: ["カショ", "k"],
	カ所: ["カショ", "k"],
	箇所: ["カショ", "k"],
	か国: ["カコク", "k"],
	ヶ国: ["カコク", "k"],
	カ国: ["カコク", "k"],
	歳: ["サイ", "s"],
	才: ["サイ", "s"],
	冊: ["サツ", "s"],
	週間: ["シュウカン", "s"],
	週: ["シュウ", "s"],
	章: ["ショウ", "s"],
	世紀: ["セイキ", "s"],
	社: ["シャ", "s"],
	種類: ["シュルイ", "s"],
	席: ["セキ", "s"],
	頭: ["トウ", "s"],
	点: ["テン", "s"],
	着: ["チャク", "s"],
	通: ["ツウ", "s"],
	丁目: ["チョウメ", "s"],
	周年: ["シュウネン", "s"],
	足: ["ソク", "s-voiced"],
	本: ["ホン", "h"],
	匹: ["ヒキ", "h"],
	杯: ["ハイ", "h"],
	票: ["ヒョウ", "h"],
	分: ["フン", "h-minutes"],
	分間: ["フンカン", "h-minutes"],
	泊: ["ハク", "h-minutes"],
	時: ["ジ", "hours"],
	時半: ["ジハン", "hours"],
	時間: ["ジカン", "hours"],
	月: ["ガツ", "months"],
	年: ["ネン", "years"],
	年間: ["ネンカン", "years"],
	年生: ["ネンセイ", "years"],
	円: ["エン", "years"],
	日: ["ニチ", "days"],
	日間: ["ニチカン", "days"],
	日目: ["ニチメ", "days"],
	人: ["ニン", "people"],
	人目: ["ニンメ", "people"],
};
/** Whether a counter's pronunciation is known. */
export function hasSound(counter: string): boolean {
	return Object.hasOwn(counters, counter);
}
