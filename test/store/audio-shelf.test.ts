import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { Deferred } from "../../runtime/event-loop/deferred.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import { DiskQuota, diskErrorOf } from "../../runtime/store/disk-quota.js";

const roomy = { bytesMax: 1e9, reserveBytes: 0 };
const bytes = (count: number) => new Uint8Array(count).fill(7);

t.test("a committed file is complete, private and counted", async (t) => {
	const folder = join(t.testdir(), "audio");
	const shelf = await AudioShelf.open(folder, roomy);
	const draft = await shelf.begin();
	await draft.append(bytes(1000));
	await draft.append(bytes(24));
	t.same(readFileSync(draft.path).length, 1024, "readable while it is written");
	t.same(await shelf.ids(), []);
	await draft.commit();
	t.equal(draft.path, shelf.path(draft.id));
	t.same(readFileSync(shelf.path(draft.id)), Buffer.from(bytes(1024)));
	t.equal(await shelf.size(draft.id), 1024);
	t.equal(shelf.bytes, 1024);
	t.same(await shelf.ids(), [], "no sweep may take what has no row yet");
	draft.settle();
	t.same(await shelf.ids(), [draft.id]);
	await draft.discard();
	t.ok(existsSync(shelf.path(draft.id)), "it belongs to its row now");
	const again = await AudioShelf.open(folder, roomy);
	t.equal(again.bytes, 1024, "counted anew after a start");
	await Promise.all([again.remove(draft.id), again.remove(draft.id)]);
	await again.remove(draft.id);
	t.equal(again.bytes, 0);
	t.equal(await again.size(draft.id), undefined);
	t.same(readdirSync(folder), []);
});

t.test("a discarded draft leaves nothing, at any stage", async (t) => {
	const folder = t.testdir();
	const shelf = await AudioShelf.open(folder, roomy);
	for (const commits of [false, true]) {
		const draft = await shelf.begin();
		await draft.append(bytes(10));
		if (commits) await draft.commit();
		await draft.discard();
		await draft.discard();
		await t.rejects(draft.append(bytes(1)), /discarded/);
	}
	t.same(readdirSync(folder), []);
	t.equal(shelf.bytes, 0);
});

t.test(
	"files left incomplete by a crash are removed at the next start",
	async (t) => {
		const folder = t.testdir();
		const shelf = await AudioShelf.open(folder, roomy);
		const draft = await shelf.begin();
		await draft.append(bytes(10));
		writeFileSync(join(folder, "README"), "not ours");
		const next = await AudioShelf.open(folder, roomy);
		t.same(readdirSync(folder), ["README"]);
		t.equal(next.bytes, 0);
		await draft.discard();
	},
);

t.test("only our own ids become paths", async (t) => {
	const shelf = await AudioShelf.open(t.testdir(), roomy);
	for (const id of ["", "..", "../../etc/passwd", "a/b", `${"a".repeat(22)}/`])
		t.throws(() => shelf.path(id), id);
});

t.test("before the quota refuses, space is freed", async (t) => {
	const folder = t.testdir({});
	const shelf = await AudioShelf.open(folder, {
		bytesMax: 1000,
		reserveBytes: 0,
	});
	const write = async (bytes: number) => {
		const draft = await shelf.begin();
		await draft.append(Buffer.alloc(bytes));
		await draft.commit();
		draft.settle();
		return draft.id;
	};
	const kept = await write(900);
	const requests: number[] = [];
	shelf.onShort(async (bytes) => {
		requests.push(bytes);
		await shelf.remove(kept);
	});
	t.ok(await shelf.size(await write(800)), "the kept one made room");
	t.equal(await shelf.size(kept), undefined);
	t.equal(requests.length, 1);
	await t.rejects(write(800), { message: /storage/ });
	t.equal(shelf.bytes, 800);
});

t.test(
	"as much space is freed as is missing, once for all uploads",
	async (t) => {
		const megabytes = (count: number) => count * 1024 * 1024;
		const shelf = async (usedMegabytes: number, freeMegabytes = 1e6) => {
			const limits = { bytesMax: megabytes(500), reserveBytes: megabytes(100) };
			const used = megabytes(usedMegabytes);
			let free = megabytes(freeMegabytes);
			const quota = new DiskQuota(limits, t.testdir(), used, async () => free);
			const freed: number[] = [];
			quota.makeRoom = async (bytes) => {
				freed.push(bytes / megabytes(1));
				await new Promise((turn) => setImmediate(turn));
				quota.give(bytes);
				free += bytes;
			};
			return { quota, freed };
		};
		const many = await shelf(500);
		await Promise.all([1, 2, 3, 4].map(() => many.quota.take(megabytes(1))));
		t.same(many.freed, [64], "four uploads, and the limit is passed once");
		const large = await shelf(450);
		await large.quota.check(megabytes(300));
		t.same(large.freed, [250], "not all that the upload takes");
		const lowered = await shelf(900);
		await lowered.quota.take(megabytes(1));
		t.same(lowered.freed, [401], "all that is too much");
		const crowded = await shelf(500, 20);
		await crowded.quota.take(megabytes(1));
		t.same(crowded.freed, [81], "as the disk needs more than the limit");
		const hopeless = await shelf(50, 20);
		await t.rejects(hopeless.quota.take(megabytes(1)), { message: /storage/ });
		t.same(hopeless.freed, [], "all audio would not be enough");
		t.equal(hopeless.quota.bytes, megabytes(50));
	},
);

t.test("the quota refuses before and while a file is written", async (t) => {
	const folder = t.testdir();
	const shelf = await AudioShelf.open(folder, {
		bytesMax: 1000,
		reserveBytes: 0,
	});
	const storage = { status: "100004", message: /storage/, http: 503 };
	await t.rejects(shelf.begin(1001), storage);
	const draft = await shelf.begin(600);
	await draft.append(bytes(600));
	const other = await shelf.begin();
	await t.rejects(other.append(bytes(401)), storage);
	await other.append(bytes(400));
	await t.rejects(shelf.begin(1), storage);
	await draft.discard();
	await shelf.begin(600);
	await other.discard();
});

t.test("concurrent writes count each other", async (t) => {
	const shelf = await AudioShelf.open(t.testdir(), {
		bytesMax: 20e6,
		reserveBytes: 0,
	});
	const drafts = [await shelf.begin(), await shelf.begin()];
	// large enough that both check the disk first
	const writing = drafts.map((it) => it.append(bytes(12e6)));
	const ends = await Promise.allSettled(writing);
	t.same(ends.map((it) => it.status).sort(), ["fulfilled", "rejected"]);
	t.equal(shelf.bytes, 12e6);
	for (const draft of drafts) await draft.discard();
	t.equal(shelf.bytes, 0);
});

t.test("a draft discarded while room is made for it takes none", async (t) => {
	const shelf = await AudioShelf.open(t.testdir(), {
		bytesMax: 1000,
		reserveBytes: 0,
	});
	const old = await shelf.begin();
	await old.append(bytes(900));
	const draft = await shelf.begin();
	const discarded = new Deferred<void>();
	shelf.onShort(async () => {
		await discarded.promise;
		await old.discard();
	});
	const appending = draft.append(bytes(200));
	await draft.discard();
	discarded.resolve();
	await t.rejects(appending, /discarded/);
	t.equal(shelf.bytes, 0);
});

t.test("the reserve of the file system is kept while writing", async (t) => {
	const folder = t.testdir();
	let free = 100e6;
	const limits = { bytesMax: 1e12, reserveBytes: 50e6 };
	const quota = new DiskQuota(limits, folder, 0, async () => free);
	const shelf = new AudioShelf(folder, quota);
	await t.rejects(shelf.begin(60e6), { message: /storage/ });
	const draft = await shelf.begin(10e6);
	await draft.append(bytes(10e6));
	free = 55e6; // another program writes, too
	await t.rejects(draft.append(bytes(10e6)), { message: /storage.*kept free/ });
	t.equal(shelf.bytes, 10e6);
	await draft.discard();
	t.equal(shelf.bytes, 0);
});

t.test(
	"a disk that fills up during a write is reported as storage",
	async (t) => {
		const full = await open("/dev/full", "w");
		const thrown: unknown = await full.writeFile(bytes(10)).catch((it) => it);
		await full.close();
		t.match(diskErrorOf(thrown), { status: "100004", message: /storage/ });
		const other = new Error("other");
		t.equal(diskErrorOf(other), other);
	},
);
