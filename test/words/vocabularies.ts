/** Correction vocabularies in memory, which a test changes at will. */
import type { WordListRow } from "../../runtime/store/word-lists.js";
import { wordListKinds } from "../../runtime/word-lists/kinds.js";
import { StoredWords } from "../../runtime/word-lists/references.js";
import { ListUsage } from "../../runtime/words/list-usage.js";

export function vocabularies() {
	const stored = new Map<string, { row: WordListRow; entries: string[] }>();
	let versions = 0;
	const none = { find: () => undefined, list: () => [], read: () => undefined };
	const usage = new ListUsage();
	const words = new StoredWords({
		kinds: wordListKinds([], { bytesMax: 4096, wrongFormsMax: 100 }),
		repositories: {
			hotwords: none,
			"correction-words": {
				find: (id) => stored.get(id)?.row,
				list: () => [...stored.values()].map(({ row }) => row).reverse(),
				read: (id) => stored.get(id),
			},
			"forbidden-words": none,
		},
		usage,
		categories: [],
		log: { warn: () => {} },
	});
	const write = (id: string, entries: string[]) => {
		const row = {
			id,
			name: "",
			language: "en-US",
			amount: entries.length,
			createdSeconds: 0,
			updatedSeconds: 0,
			version: `${++versions}`,
		};
		stored.set(id, { row, entries });
	};
	const remove = (id: string) => void stored.delete(id);
	return { words, usage, write, remove };
}
