/** What recognitions find where nobody has made a list of words yet. */
import { StoredWords } from "../../runtime/api/references.js";
import { wordListKinds } from "../../runtime/api/word-lists/kinds.js";
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
