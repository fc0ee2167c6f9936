/** Number rules of every language on texts of every kind: edits in order, and none on the rule's own result. */
import assert from "node:assert/strict";
import { rulesOf } from "../../runtime/text/registry.js";
import type { Property } from "../fuzz/property.js";
import { apply } from "./numbers.js";
import { randomText } from "./random-texts.js";

const folders = {
	zh: "zh-cmn-Hans-CN",
	ja: "ja-JP",
	en: "en-US",
	"zh-en": "zh-cmn-Hans-CN-en-US",
	"ja-en": "ja-JP-en-US",
} as const;

export function settledRule(
	folder: keyof typeof folders,
	rule: "writeNumbers" | "speakNumbers",
): Property<string> {
	const edits = rulesOf[folders[folder]][rule];
	return {
		name: `text/${folder}/${rule}`,
		promise: `${folder} ${rule} of its own result changes nothing`,
		draw: randomText,
		check(text) {
			const once = apply(text, edits(text));
			assert.equal(apply(once, edits(once)), once);
		},
	};
}
