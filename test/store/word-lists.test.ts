import t from "tap";
import { Database } from "../../runtime/store/database.js";
import { WordListRepository } from "../../runtime/store/word-lists.js";
import { holds } from "../fuzz/holds.js";
import { killsLoseNoChange } from "./kills.property.js";
import { listsAreOnTheDisk } from "./word-lists.property.js";

const now = () => 1_000;
const about = { name: "n", language: "en-US" };

function openLists(t: {
	testdir(): string;
	teardown(act: () => Promise<void>): unknown;
}) {
	const database = Database.open(`${t.testdir()}/store.mdb`);
	t.teardown(() => database.close());
	return new WordListRepository(database, "hotwords");
}

t.test("a change creates a new version, a rename does not", async (t) => {
	const lists = openLists(t);
	const first = await lists.create({ ...about, id: "x", entries: ["a"] }, 1);
	t.match(first, { amount: 1, createdSeconds: 1, updatedSeconds: 1 });
	t.equal(
		await lists.create({ ...about, id: "x", entries: ["b"] }, 2),
		undefined,
		"taken",
	);
	const renamed = await lists.change("x", async () => ({ name: "new" }), now);
	t.match(renamed, {
		name: "new",
		version: first?.version,
		updatedSeconds: 1_000,
	});
	const same = await lists.change("x", async () => ({ entries: ["a"] }), now);
	t.not(same?.version, first?.version);
	t.match(lists.read("x"), { row: same, entries: ["a"] });
	t.equal(await lists.change("y", async () => ({}), now), undefined);
	t.equal(await lists.remove("y", () => t.fail("there is none")), false);
	t.equal(await lists.remove("x", () => {}), true);
	t.equal(lists.read("x"), undefined);
	const again = await lists.create({ ...about, id: "x", entries: ["a"] }, 3);
	t.not(again?.version, first?.version);
});

t.test("a rejected change changes nothing", async (t) => {
	const lists = openLists(t);
	const row = await lists.create({ ...about, id: "x", entries: ["a"] }, 1);
	const no = () => {
		throw new Error("no");
	};
	await t.rejects(
		lists.change("x", async () => no(), now),
		{ message: "no" },
	);
	await t.rejects(lists.remove("x", no), { message: "no" });
	t.match(lists.read("x"), { row, entries: ["a"] });
	await lists.change("x", async () => ({ entries: [] }), now);
	t.match(lists.read("x"), { row: { amount: 0 }, entries: [] });
});

t.test("every reader sees a consistent list while it is changed", async (t) => {
	const lists = openLists(t);
	await lists.create({ ...about, id: "x", entries: [] }, 1);
	let isDone = false;
	const writing = (async () => {
		for (let count = 1; count <= 60; count++)
			await lists.change(
				"x",
				async () => ({ entries: Array<string>(count * 50).fill(`${count}`) }),
				now,
			);
		isDone = true;
	})();
	let reads = 0;
	for (; !isDone; reads++) {
		const { row, entries } = lists.read("x") ?? {};
		if (row?.amount !== entries?.length || new Set(entries).size > 1)
			t.fail(`${row?.amount} and ${entries?.length}`);
		await new Promise((turn) => setImmediate(turn));
	}
	await writing;
	t.ok(reads > 10, `${reads} reads`);
});

t.test(
	"a list with missing entries is damage, not an empty list",
	async (t) => {
		const database = Database.open(`${t.testdir()}/store.mdb`);
		t.teardown(() => database.close());
		const lists = new WordListRepository(database, "hotwords");
		const row = await lists.create({ ...about, id: "x", entries: ["a"] }, 1);
		await database.table("hotwords.entries").remove(`x@${row?.version}`);
		t.throws(() => lists.read("x"), { trouble: "damaged" } as never);
		const add: Parameters<typeof lists.change>[1] = async (_, entries) => ({
			entries: [...entries(), "b"],
		});
		await t.rejects(lists.change("x", add, now), {
			trouble: "damaged",
		} as never);
		t.equal(lists.find("x")?.version, row?.version, "nothing written over it");
	},
);

t.test("rows with any characters are restored unchanged", async (t) => {
	const lists = openLists(t);
	const entries = [
		"漢字",
		"𠮷野家",
		"cafe\u0301",
		"مرحبا",
		"__proto__",
		'"\\,|',
	];
	await lists.create({ ...about, id: "__proto__", entries }, 1);
	t.same(lists.read("__proto__")?.entries, entries);
	t.equal(lists.find("constructor"), undefined);
	t.same(
		lists.list().map((it) => it.id),
		["__proto__"],
	);
});

t.test("lists and the disk", async (t) => {
	await holds(t, listsAreOnTheDisk(t), 8);
});

await holds(t, killsLoseNoChange(), 1);
