/** Stored lists in memory, for the next recognition that names them. */
import t from "tap";
import type { WordListRow } from "../../runtime/store/word-lists.js";
import { wordListKinds } from "../../runtime/word-lists/kinds.js";
import { ListCache } from "../../runtime/word-lists/list-cache.js";

const kinds = wordListKinds([], { bytesMax: 4096, wrongFormsMax: 100 });

function rowOf(id: string, version: string): WordListRow {
	return {
		id,
		name: "",
		language: "en-US",
		amount: 1,
		createdSeconds: 0,
		updatedSeconds: 0,
		version,
	};
}

t.test("a list that was found before it changed is kept once", async (t) => {
	const entries = Array.from({ length: 60_000 }, (_, it) => `w${it}`);
	let reads = 0;
	const stored = {
		read: (id: string) => {
			reads++;
			return { row: rowOf(id, "new"), entries };
		},
	};
	const cache = new ListCache({
		kinds,
		repositories: {
			hotwords: stored,
			"correction-words": stored,
			"forbidden-words": stored,
		},
		log: { warn: () => {} },
	});
	const other = cache.read(rowOf("other", "new"), "hotwords");
	const first = cache.read(rowOf("changed", "old"), "hotwords");
	for (let again = 0; again < 5; again++) {
		const { list } = cache.read(rowOf("changed", "old"), "hotwords");
		t.equal(list, first.list, "what was made of it is used again");
	}
	reads = 0;
	t.equal(cache.read(rowOf("other", "new"), "hotwords"), other);
	t.equal(reads, 0, "there is room for both");
});
