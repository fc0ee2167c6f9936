/** Word lists in memory, which a test changes at will: correction vocabularies of English, unless it says otherwise. */
import type { WordListRow } from "../../runtime/store/word-lists.js";
import { wordListKinds } from "../../runtime/word-lists/kinds.js";
import { StoredWords } from "../../runtime/word-lists/references.js";
import type { ListKind } from "../../runtime/words/list-key.js";
import { ListUsage } from "../../runtime/words/list-usage.js";

interface Stored {
	readonly row: WordListRow;
	readonly entries: string[];
}

interface About {
	readonly kind?: ListKind;
	readonly language?: string;
}

/** As the repository of a kind, oldest first. */
function listsInMemory() {
	const stored = new Map<string, Stored>();
	return {
		stored,
		find: (id: string) => stored.get(id)?.row,
		list: () => [...stored.values()].map(({ row }) => row).reverse(),
		read: (id: string) => stored.get(id),
	};
}

export function vocabularies() {
	const repositories = {
		hotwords: listsInMemory(),
		"correction-words": listsInMemory(),
		"forbidden-words": listsInMemory(),
	};
	let versions = 0;
	const usage = new ListUsage();
	const words = new StoredWords({
		kinds: wordListKinds([], { bytesMax: 4096, wrongFormsMax: 100 }),
		repositories,
		usage,
		categories: [],
		log: { warn: () => {} },
	});
	const write = (
		id: string,
		entries: string[],
		{ kind = "correction-words", language = "en-US" }: About = {},
	) => {
		const row = {
			id,
			name: "",
			language,
			amount: entries.length,
			createdSeconds: 0,
			updatedSeconds: 0,
			version: `${++versions}`,
		};
		repositories[kind].stored.set(id, { row, entries });
	};
	const remove = (id: string) =>
		void repositories["correction-words"].stored.delete(id);
	return { words, usage, write, remove };
}
