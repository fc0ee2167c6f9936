/** The Japanese reader on random texts. */
import assert from "node:assert/strict";
import { openReader } from "../../../runtime/text/ja/reading.js";
import type { Property } from "../../fuzz/property.js";
import { randomText } from "../random-texts.js";

export async function readingLosesNothing(): Promise<Property<string>> {
	const reader = await openReader();
	return {
		name: "text/ja/reading",
		promise: "no text breaks the reader, and nothing of a text is lost",
		draw: randomText,
		check(text) {
			let at = 0;
			for (const { from, to, surface } of reader.morphemes(text)) {
				assert.equal(from, at);
				assert.equal(surface, text.slice(from, to));
				at = to;
			}
			assert.equal(at, text.length);
		},
	};
}
