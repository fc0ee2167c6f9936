/** A word source without any lists. */

import { wordListKinds } from "../../runtime/word-lists/kinds.js";
import { StoredWords } from "../../runtime/word-lists/references.js";
import { ListUsage } from "../../runtime/words/list-usage.js";

const none = { find: () => undefined, list: () => [], read: () => undefined };

export const noWords = new StoredWords({
	kinds: wordListKinds([], { bytesMax: 4096, wrongFormsMax: 100 }),
	repositories: {
		hotwords: none,
		"correction-words": none,
		"forbidden-words": none,
	},
	usage: new ListUsage(),
	categories: [],
	log: { warn: () => {} },
});
