/** Fillers in random texts. */
import assert from "node:assert/strict";
import { findFillers as findEnglish } from "../../runtime/text/en/fillers.js";
import { findFillers as findJapanese } from "../../runtime/text/ja/fillers.js";
import type { Span } from "../../runtime/text/language-rules.js";
import { zh } from "../../runtime/text/zh/rules.js";
import type { Property } from "../fuzz/property.js";
import { randomText } from "./random-texts.js";

const finders = { en: findEnglish, ja: findJapanese, zh: zh.fillers };

export function fillersInOrder(folder: keyof typeof finders): Property<string> {
	return {
		name: `text/${folder}/fillers`,
		promise: `${folder}: fillers are in order on any text`,
		draw: randomText,
		check(text) {
			const spans = finders[folder](text);
			assert.ok(inOrder(spans, text), JSON.stringify(spans));
		},
	};
}

export function inOrder(spans: readonly Span[], text: string): boolean {
	let at = 0;
	for (const { from, to } of spans) {
		if (from < at || to <= from || to > text.length) return false;
		at = to;
	}
	return true;
}
