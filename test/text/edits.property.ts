/** Any edits of any text. */
import assert from "node:assert/strict";
import {
	applyEdits,
	type Draft,
	type Edit,
	type PlacedWord,
} from "../../runtime/text/edits.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";

const alphabet = [..."ab c，。 三百个𠮷é，-3. "];

interface Case {
	readonly text: string;
	readonly edits: readonly Edit[];
}

export const wordsStayWhole = (): Property<Case> => ({
	name: "text/edits",
	promise: "any edits keep the words in order, whole and covering",
	draw(random) {
		const text = some(random, 20);
		const edits: Edit[] = [];
		for (let at = below(random, 4); at <= text.length; ) {
			const to = Math.min(text.length, at + below(random, 4));
			edits.push({ from: at, to, text: some(random, 4) });
			at = to + below(random, 5);
		}
		return { text, edits };
	},
	check({ text, edits }) {
		const draft = draftOf(text, /[\p{L}\p{N}]{1,3}|[^\s\p{L}\p{N}]+/gu);
		const edited = applyEdits(draft, edits);
		assert.equal(edited.text, applyEdits({ text, words: [] }, edits).text);
		const uncovered = partsBetween(edited);
		if (draft.words.length > 0)
			assert.equal(uncovered.trim(), "", "words cover the text");
	},
});

/** @returns the text that no word covers. @throws if words are out of order, incomplete, or outside their time. */
function partsBetween({ text, words }: Draft): string {
	let end = 0;
	let clock = 0;
	let uncovered = "";
	for (const { from, to, startMs, endMs, confidence } of words) {
		const written = text.slice(from, to);
		uncovered += text.slice(end, from);
		assert.ok(from >= end, "in order");
		assert.ok(written !== "" && written === written.trim(), "whole");
		assert.ok(startMs >= clock && endMs >= startMs, "times run on");
		assert.equal(confidence, 0.5, "confidence is kept");
		end = to;
		clock = startMs;
	}
	return uncovered + text.slice(end);
}

function some(random: Random, limit: number): string {
	const length = below(random, limit);
	return Array.from({ length }, () => pick(random, alphabet)).join("");
}

/** Words at the text's runs of letters and marks, 100 ms each. */
export function draftOf(
	text: string,
	pattern = /[\p{L}\p{N}']+|\p{P}+/gu,
): Draft {
	const words = [...text.matchAll(pattern)].map(
		({ 0: word, index }, i): PlacedWord => ({
			from: index,
			to: index + word.length,
			startMs: 100 * i,
			endMs: 100 * i + 100,
			kind: /^\p{P}/u.test(word) ? "punc" : "normal",
			confidence: 0.5,
		}),
	);
	return { text, words };
}
