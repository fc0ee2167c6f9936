/** A list whose entries are gone is mended by writing them again. */
import t from "tap";
import { Database } from "../../runtime/store/database.js";
import { WordListRepository } from "../../runtime/store/word-lists.js";
import { wordListKinds } from "../../runtime/word-lists/kinds.js";
import { WordListService } from "../../runtime/word-lists/service.js";
import { ListUsage } from "../../runtime/words/list-usage.js";

t.test("as many entries as there were, or more", async (t) => {
	const database = Database.open(`${t.testdir()}/store.mdb`);
	t.teardown(() => database.close());
	const repository = new WordListRepository(database, "hotwords");
	let changes = 0;
	const service = new WordListService({
		kind: wordListKinds([], { bytesMax: 4096, wrongFormsMax: 100 }).hotwords,
		repository,
		usage: new ListUsage(),
		extractor: { keywords: async () => [] },
		onChanged: () => changes++,
	});
	const given = (...words: string[]) => ({ words, extract: false });
	await service.create({
		id: "x",
		name: "",
		language: "en-US",
		owner: "token:tester",
		given: given("one"),
	});
	for (const words of [["one"], ["two", "three"]]) {
		const { version } = service.read("x").row;
		await database.table("hotwords.entries").remove(`x@${version}`);
		await t.rejects(service.add("x", given("more")), /are missing/);
		changes = 0;
		await service.modify("x", undefined, given(...words));
		t.same(service.read("x").entries, words);
		t.equal(changes, 1);
	}
});
