import { once } from "node:events";
import t from "tap";
import { Database } from "../../runtime/store/database.js";
import { WordListRepository } from "../../runtime/store/word-lists.js";
import { holds } from "../fuzz/holds.js";
import { startFixture } from "./children.js";
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

t.test("a change makes a new version, a new name does not", async (t) => {
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

t.test("what is decided against changes nothing", async (t) => {
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

t.test(
	"every reader sees a list of one moment while it is changed",
	async (t) => {
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
		let looks = 0;
		for (; !isDone; looks++) {
			const { row, entries } = lists.read("x") ?? {};
			if (row?.amount !== entries?.length || new Set(entries).size > 1)
				t.fail(`${row?.amount} and ${entries?.length}`);
			await new Promise((turn) => setImmediate(turn));
		}
		await writing;
		t.ok(looks > 10, `${looks} looks`);
	},
);

t.test(
	"a list whose entries are gone is damage, not an empty list",
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

t.test("rows of any letters come back as they were", async (t) => {
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

type Said = [id: string, amount: number, entries: string[]][];

/** Rounds. 200 take about a minute: `EARSHOT_TEST_KILLS=200 node build/test/store/word-lists.test.js`. */
const kills = Number(process.env.EARSHOT_TEST_KILLS ?? 20);
t.setTimeout(Math.max(300_000, kills * 3_000)); // for the whole file, on a machine that is busy with other tests

t.test("kill -9 at any moment loses no acknowledged change", async (t) => {
	const file = `${t.testdir()}/store.mdb`;
	/** What was acknowledged last of each list: how many entries, or -1 for none. */
	const acknowledged = new Map<string, number>();
	let changes = 0;
	// a busy machine acknowledges few changes before a kill: then it is killed more often
	for (let round = 0; round <= kills || changes <= kills * 5; round++) {
		const child = startFixture("write-lists", file);
		let text = "";
		const delayMs = 1 + ((round * 7919) % 90);
		child.stdout?.on("data", (bytes: Buffer) => {
			if (text === "") setTimeout(() => child.kill("SIGKILL"), delayMs);
			text += bytes.toString();
		});
		await once(child, "close");
		const [first, ...lines] = text.split("\n").slice(0, -1);
		const found = JSON.parse(first ?? "") as Said;
		for (const [, amount, entries] of found) {
			t.equal(amount, entries.length, "list and entries are of one change");
			const expected = Array.from(entries, (_, index) => `${index}`);
			t.same(entries, expected);
		}
		const held = new Map(found.map(([id, amount]) => [id, amount]));
		for (const [id, last] of acknowledged) {
			const amount = held.get(id) ?? -1;
			// the next change may have been made, too: a list is removed after its fortieth, and made again
			const possible =
				last === -1 ? [-1, 0, 1] : last === 40 ? [40, -1] : [last, last + 1];
			t.ok(
				possible.includes(amount),
				`round ${round}: ${id} has ${amount} after ${last} was acknowledged`,
			);
		}
		// what is there now counts from here on
		for (const id of ["a", "b", "c"]) acknowledged.set(id, held.get(id) ?? -1);
		for (const line of lines) {
			const [id = "", what = ""] = line.split(" ");
			acknowledged.set(id, what === "gone" ? -1 : Number(what) + 1);
			changes++;
		}
	}
	t.comment(`${changes} acknowledged changes`);
});
