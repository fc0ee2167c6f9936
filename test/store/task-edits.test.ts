import t from "tap";
import { requireReserve } from "../../runtime/store/disk-quota.js";
import { openStore } from "../../runtime/store/open-store.js";
import {
	editBytesMax,
	TaskEditRepository,
} from "../../runtime/store/task-edits.js";
import { allOf } from "./all-of.js";

t.test("peaks are read as they were written, also later", async (t) => {
	const store = await openStore({ dir: t.testdir(), as: "visit" });
	t.teardown(() => store.close());
	const edits = new TaskEditRepository(store.database);
	const peaks = Uint8Array.from({ length: 72_000 }, (_, i) => i % 256);
	await edits.putPeaks("one", { perSecond: 20, peaks });
	const read = edits.peaks("one");
	await edits.putPeaks("other", {
		perSecond: 20,
		peaks: peaks.map((it) => ~it),
	});
	edits.peaks("other");
	t.equal(read?.perSecond, 20);
	t.same(read?.peaks, peaks);
});

t.test("peaks leave the reserve of the disk free", async (t) => {
	const dir = t.testdir();
	const store = await openStore({ dir, as: "visit" });
	t.teardown(() => store.close());
	let free = 72_000;
	const edits = new TaskEditRepository(store.database, (bytes) =>
		requireReserve("corrections", bytes, {
			folder: dir,
			reserveBytes: 1,
			freeBytes: async () => free,
		}),
	);
	const row = { perSecond: 20, peaks: new Uint8Array(72_000) };
	await edits.putPeaks("one", row);
	t.equal(edits.peaks("one"), undefined, "drawn, and not kept");
	free += 1;
	await edits.putPeaks("one", row);
	t.equal(edits.peaks("one")?.peaks.length, 72_000);
});

t.test("what was changed goes with its task, and no other", async (t) => {
	const store = await openStore({ dir: t.testdir(), as: "visit" });
	t.teardown(() => store.close());
	const edits = new TaskEditRepository(store.database);
	for (const id of ["a", "a0", "b"])
		await edits.change(
			id,
			new Map([
				[1, "x"],
				[300, "y"],
			]),
			{ 1: "Lucas" },
			5,
		);
	for (let i = 0; i < 25; i++)
		await edits.change("a", new Map([[1, `${i}`]]), undefined, i);
	t.equal(edits.segment("a", 1)?.versions.length, 20);
	t.equal(edits.segment("a", 1)?.versions.at(-1)?.text, "24");
	t.same([...edits.changed("a")], [1, 300]);
	t.same(new Set(await allOf(edits.ids())), new Set(["a", "a0", "b"]));
	await edits.clear("a");
	t.same(new Set(await allOf(edits.ids())), new Set(["a0", "b"]));
	t.same([...edits.changed("a")], []);
	t.same(edits.speakers("a"), {});
	for (const id of ["a0", "b"]) {
		t.same([...edits.changed(id)], [1, 300]);
		t.same(edits.speakers(id), { 1: "Lucas" });
	}
});

t.test(
	"corrections of one task are bounded: earlier versions go first",
	async (t) => {
		const store = await openStore({ dir: t.testdir(), as: "visit" });
		t.teardown(() => store.close());
		const edits = new TaskEditRepository(store.database);
		const text = "x".repeat(10_000);
		const count = Math.floor((editBytesMax - 15_000) / 10_040); // and one more
		const all = (its: string | null, from = 1, to = count) => {
			const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
			return new Map(numbers.map((number) => [number, its] as const));
		};
		await edits.change("a", all(text), undefined, 1);
		await edits.change("a", new Map([[1, `${text.slice(1)}y`]]), undefined, 2);
		t.match(
			edits.segment("a", 1)?.versions,
			[{ text: /x$/ }, { text: /y$/ }],
			"there was room for one more",
		);
		await edits.change("a", new Map([[2, `${text.slice(1)}z`]]), undefined, 2);
		t.equal(edits.segment("a", 1)?.versions.length, 1);
		t.match(edits.segment("a", 2)?.versions, [{ text: /z$/ }]);
		await t.rejects(
			edits.change("a", all(text, count + 1, count + 4), undefined, 3),
			{ status: "100004", message: /corrections.*at most 2097152 bytes/ },
		);
		t.equal(edits.segment("a", count + 1), undefined);
		await edits.change("b", all(text, 1, 1), undefined, 3); // each has its own
		await edits.change("a", all(null), undefined, 4);
		await edits.change("a", all(text, count + 1, count + 2), undefined, 5);
		t.same(edits.segment("a", 2)?.versions, [{ text: null, atSeconds: 4 }]);
		t.match(edits.segment("a", count + 1)?.versions, [{ text }]);
	},
);

t.test("corrections leave the reserve of the disk alone", async (t) => {
	const store = await openStore({ dir: t.testdir(), as: "visit" });
	t.teardown(() => store.close());
	let free = 1000;
	const edits = new TaskEditRepository(store.database, (bytes) =>
		requireReserve("corrections", bytes, {
			folder: "/",
			reserveBytes: 800,
			freeBytes: async () => free,
		}),
	);
	const texts = new Map([[1, "x".repeat(90)]]);
	await edits.change("a", texts, undefined, 1);
	free = 850;
	await t.rejects(edits.change("a", texts, undefined, 2), {
		status: "100004",
		message: /no storage left for corrections: 800 bytes of the disk/,
	});
	t.equal(edits.segment("a", 1)?.versions.length, 1);
});
