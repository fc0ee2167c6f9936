/** What Words keeps of a list and sends of it, without a browser. */
import t, { type Test } from "tap";
import { entriesOfFile } from "../../runtime/console/pages/words/entry-lines.js";
import { wordListKinds } from "../../runtime/word-lists/kinds.js";
import { FakeDevice, pageCode, replaceGlobal, settled } from "./page-code.js";

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

interface EditedList {
	readonly entries: { readonly value: readonly string[] };
	readonly refused: { readonly value: readonly string[] };
	readonly state: { readonly value: string };
	readonly wrong: { readonly value: string };
	load(): Promise<void>;
	add(entries: readonly string[]): void;
	change(entries: readonly string[]): void;
	save(): Promise<void>;
}

const stored = (words: readonly string[]) => ({ words, lang_type: "en-US" });

/** @returns what answers the request of the list that comes next, and returns it. */
async function newList(t: Test) {
	replaceGlobal(t, "addEventListener", () => {});
	const device = new FakeDevice(t);
	const { EditedList } = await pageCode<{
		EditedList: new (kind: string, id: string) => EditedList;
	}>("pages/words/edited-list.ts");
	const list = new EditedList("hotwords", "a");
	let count = 0;
	const answerNext = async (data: object) => {
		const request = await device.request(count++);
		request.answer("000000", data);
		await settled();
		return request;
	};
	const failNext = async () => {
		(await device.request(count++)).fail();
		await settled();
	};
	return { list, answerNext, failNext };
}

async function listOf(t: Test, ...words: readonly string[]) {
	const made = await newList(t);
	const loaded = made.list.load();
	await made.answerNext(stored(words));
	await loaded;
	return made;
}

t.test("a list that did not come is asked for again", async (t) => {
	const { list, answerNext, failNext } = await newList(t);
	const failed = list.load();
	await failNext();
	await failed;
	t.match(list.wrong.value, /No connection/);
	const again = list.load();
	t.equal(list.wrong.value, "");
	await answerNext(stored(["a"]));
	await again;
	t.same(list.entries.value, ["a"]);
});

t.test("what others added and removed is so after Save", async (t) => {
	const { list, answerNext } = await listOf(t, "kept", "removed");
	list.add(["mine"]);
	const saving = list.save();
	await answerNext(stored(["kept", "theirs"]));
	const { method, json } = await answerNext({ dropped: [] });
	t.match({ method, json }, { method: "PUT" });
	t.same(json, { words: ["theirs", "mine", "kept"] });
	await answerNext(stored(["theirs", "mine", "kept"]));
	await saving;
	t.equal(list.state.value, "saved");
});

t.test("what is removed while it is saved is not there again", async (t) => {
	const { list, answerNext } = await listOf(t, "a");
	list.add(["b"]);
	const saving = list.save();
	await answerNext(stored(["a"]));
	list.change(["a"]);
	await answerNext({ dropped: [] });
	await answerNext(stored(["b", "a"]));
	await saving;
	t.equal(list.state.value, "unsaved");
	const again = list.save();
	await answerNext(stored(["b", "a"]));
	t.same((await answerNext({ dropped: [] })).json, { words: ["a"] });
	await answerNext(stored(["a"]));
	await again;
	t.equal(list.state.value, "saved");
});

t.test(
	"a Save whose answer did not come stored no entries of others",
	async (t) => {
		const { list, answerNext, failNext } = await listOf(t, "a");
		list.change(["b", "a"]);
		const lost = list.save();
		await answerNext(stored(["a"]));
		await failNext();
		await lost;
		t.equal(list.state.value, "unsaved");
		list.change(["c", "a"]); // b was wrong
		const again = list.save();
		await answerNext(stored(["theirs", "b", "a"]));
		const { json } = await answerNext({ dropped: [] });
		t.same(json, { words: ["theirs", "c", "a"] });
		await answerNext(stored(["theirs", "c", "a"]));
		await again;
		t.equal(list.state.value, "saved");
	},
);

t.test("every entry that the device left out stays", async (t) => {
	const { list, answerNext } = await listOf(t);
	const typed = Array.from({ length: 300 }, (_, i) => `${i}!`);
	list.add(typed);
	const saving = list.save();
	await answerNext(stored([]));
	// the device names the first fifty
	const named = { reason: "too long", entries: typed.slice(0, 50) };
	await answerNext({ dropped: [{ ...named, count: 300 }] });
	await answerNext(stored([]));
	await saving;
	t.same(list.entries.value, typed);
	t.same(list.refused.value, typed);
});
