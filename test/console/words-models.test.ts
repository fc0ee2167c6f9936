/** What Words keeps of a list and sends of it, without a browser. */
import t from "tap";
import { entriesOfFile } from "../../runtime/console/pages/words/entry-lines.js";
import { wordListKinds } from "../../runtime/word-lists/kinds.js";

const kinds = wordListKinds([], { bytesMax: 999, wrongFormsMax: 9 });

t.test("the header of an exported list is no entry", async (t) => {
	for (const { kind, headers } of Object.values(kinds))
		for (const header of headers) {
			const exported = new Blob([`\uFEFF${header}\r\nfirst\r\n\nsecond\r`]);
			t.same(await entriesOfFile(kind, exported), ["first", "second"], header);
			const made = new Blob([`first\n${header}`]);
			t.same(await entriesOfFile(kind, made), ["first", header]);
			t.same(await entriesOfFile(kind, new Blob([header])), []);
		}
	t.same(await entriesOfFile("hotwords", new Blob(["word"])), ["word"]);
});

t.test("a file in another encoding is no list of entries", async (t) => {
	const bytes = {
		"Shift JIS": [0x93, 0x8c, 0x8b, 0x9e],
		GBK: [0xb1, 0xb1, 0xbe, 0xa9],
		"UTF-16": [0xff, 0xfe, 0x71, 0x67],
	};
	for (const [encoding, text] of Object.entries(bytes)) {
		const file = new Blob([new Uint8Array(text)]);
		t.equal(await entriesOfFile("hotwords", file), undefined, encoding);
	}
	t.same(await entriesOfFile("hotwords", new Blob(["東京\n"])), ["東京"]);
});
