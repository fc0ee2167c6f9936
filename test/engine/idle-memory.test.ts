/** Memory is given back once in each pause of an engine, and really goes back to the system. */
import t from "tap";
import {
	IdleMemory,
	releaseMemory,
} from "../../runtime/engine/child/idle-memory.js";
import { eventually, untilStill } from "../fixtures/eventually.js";

t.test("once in each pause, not while there is work", async (t) => {
	let released = 0;
	const memory = new IdleMemory(() => {
		released++;
	}, 1);
	memory.changed(false);
	await eventually("the first pause", () => released === 1);
	memory.changed(false);
	await untilStill(() => released);
	memory.changed(true);
	memory.changed(true);
	await untilStill(() => released);
	t.equal(released, 1);
	memory.changed(false);
	await eventually("the next pause", () => released === 2);
});

t.test("freed memory goes back to the system", async (t) => {
	const megabytes = () => process.memoryUsage.rss() / 1e6;
	// small ones, between which some stay in use, so that the allocator keeps them
	const held: (Buffer | undefined)[] = Array.from({ length: 3000 }, () =>
		Buffer.alloc(60_000, 1),
	);
	const full = megabytes();
	for (let i = 0; i < held.length; i++) if (i % 50 > 0) held[i] = undefined;
	await eventually(
		"a hundred megabytes less",
		async () => {
			await releaseMemory();
			return full - megabytes() > 100;
		},
		{ seen: () => `${full} -> ${megabytes()} MB` },
	);
	t.equal(held.filter((it) => it !== undefined).length, 60);
});
