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
