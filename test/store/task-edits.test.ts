import t from "tap";
import { openStore } from "../../runtime/store/open-store.js";
import { TaskEditRepository } from "../../runtime/store/task-edits.js";
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
