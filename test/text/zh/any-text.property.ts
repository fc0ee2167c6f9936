/** Chinese number rules on random texts. */
import assert from "node:assert/strict";
import { rulesOf } from "../../../runtime/text/registry.js";
import type { Property } from "../../fuzz/property.js";
import { below, pick, type Random } from "../../fuzz/random.js";
import { apply } from "../numbers.js";

const zh = rulesOf["zh-cmn-Hans-CN"];

const pieces = [
	..."零〇一幺二两三四五六七八九十百千万亿几半第负点分之年月日号时秒块元毛角个人天周次度米比到至加减又后折多来嗯呃额那个这就是说，。 0123456789.,:：-/%¥$～AbG",
	..."𠮷🎉é\u0301\u200dشｱ０９",
	"百分之",
	"分之",
	"星期",
	"一起",
	"三里屯",
	"零下",
];

export const writtenInOrder = (): Property<string> => ({
	name: "text/zh/any-text",
	promise: "Chinese numbers of any text are written once, in order",
	draw: (random) => chineseText(random, 1 + below(random, 16)),
	check(text) {
		for (const rule of [zh.writeNumbers, zh.speakNumbers]) {
			const once = apply(text, rule(text));
			assert.equal(apply(once, rule(once)), once);
		}
	},
});

export function chineseText(random: Random, length: number): string {
	return Array.from({ length }, () => pick(random, pieces)).join("");
}
