import { readdirSync } from "node:fs";
import t, { type Test } from "tap";
import { BodyMemory } from "../../runtime/api/body-memory.js";
import { BodyKeep } from "../../runtime/api/kept-body.js";
import { ownerOf } from "../../runtime/owner.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import { eventually } from "../fixtures/eventually.js";

const kibibyte = 1024;
const chunkBytes = 16 * kibibyte;
const [ours, theirs] = [ownerOf("token", "a"), ownerOf("token", "b")];
const bodyBytesMax = 2048 * kibibyte;
const roomy = () => new BodyMemory(8192 * kibibyte, bodyBytesMax);

/** Chunks of 16 KiB, each all of one byte, one every `everyMs` of a clock that only they advance. */
function line(count: number, everyMs: number) {
	const clock = { ms: 0, taken: 0 };
	async function* chunks() {
		for (; clock.taken < count; clock.taken++) {
			clock.ms += everyMs;
			yield new Uint8Array(chunkBytes).fill(clock.taken);
		}
	}
	return { source: chunks(), clock, nowMs: () => clock.ms };
}

async function shelfOf(t: Test, bytesMax = 1e9) {
	const folder = t.testdir();
	const shelf = await AudioShelf.open(folder, { bytesMax, reserveBytes: 0 });
	return { shelf, files: () => readdirSync(folder) };
}

async function hashed(pieces: AsyncIterable<Uint8Array>): Promise<string> {
	let first = "";
	for await (const piece of pieces)
		for (let at = 0; at < piece.length; at += chunkBytes)
			first += `${piece[at]} `;
	return first;
}

const wholeOf = (count: number) =>
	Array.from({ length: count }, (_, i) => `${i % 256} `).join("");

t.test(
	"a slow body is kept until it is complete before a slot is requested",
	async (t) => {
		const { shelf, files } = await shelfOf(t);
		const { source, nowMs } = line(20, 500); // 32 KiB a second
		const body = new BodyKeep(shelf, roomy(), nowMs).keep(source, ours);
		await body.untilWholeOrFast();
		t.ok(body.whole);
		t.equal(await hashed(body.read()), wholeOf(20));
		t.same(files(), []);
		body.release();
	},
);

t.test("a fast body requests a slot as soon as that is known", async (t) => {
	const { shelf } = await shelfOf(t);
	const { source, nowMs, clock } = line(1000, 1);
	const body = new BodyKeep(shelf, roomy(), nowMs).keep(source, ours);
	await body.untilWholeOrFast();
	t.equal(clock.taken, 3); // the fourth chunk makes 64 KiB
	t.notOk(body.whole);
	t.equal(await hashed(body.read()), wholeOf(1000), "the rest is to be had");
	body.release();
});

t.test("what exceeds the memory is stored on the disk", async (t) => {
	const { shelf, files } = await shelfOf(t);
	const { source, nowMs } = line(300, 500);
	const memory = roomy();
	const body = new BodyKeep(shelf, memory, nowMs).keep(source, ours);
	await body.untilWholeOrFast();
	t.ok(body.whole, "it is slow, however long it is");
	t.equal(memory.bytes, bodyBytesMax);
	t.equal(files().length, 1);
	for (const time of ["once", "again"])
		t.equal(await hashed(body.read()), wholeOf(300), `read ${time}`);
	body.release();
	body.release();
	t.equal(memory.bytes, 0);
	await shelfIsEmpty(t, shelf, files);
});

t.test("read in part, then whole, then from the beginning", async (t) => {
	const { shelf } = await shelfOf(t);
	const { source, nowMs } = line(200, 1);
	const memory = new BodyMemory(8192 * kibibyte, 512 * kibibyte);
	const body = new BodyKeep(shelf, memory, nowMs).keep(source, ours);
	await body.untilWholeOrFast();
	const abandoned = body.read();
	for (let chunk = 0; chunk < 50; chunk++) await abandoned.next();
	void abandoned.next(); // and abandoned while it waits
	void abandoned.return(undefined);
	await body.untilWhole();
	t.equal(await hashed(body.read()), wholeOf(200));
	body.release();
});

t.test(
	"no caller takes all memory, and a body without memory is still kept",
	async (t) => {
		const { shelf, files } = await shelfOf(t);
		const memory = new BodyMemory(1024 * kibibyte, bodyBytesMax);
		const slow = line(200, 500);
		const keep = new BodyKeep(shelf, memory, slow.nowMs);
		const mine = keep.keep(slow.source, ours);
		await mine.untilWhole();
		t.equal(memory.bytes, 768 * kibibyte, "three quarters");
		const other = keep.keep(line(4, 500).source, theirs);
		await other.untilWhole();
		t.equal(files().length, 1, "another's fits into what is left");
		t.equal(await hashed(mine.read()), wholeOf(200));
		for (const body of [mine, other]) body.release();
		t.equal(memory.bytes, 0);
	},
);

t.test("a full disk is reported", async (t) => {
	const { shelf, files } = await shelfOf(t, 1000 * kibibyte);
	const memory = roomy();
	const body = new BodyKeep(shelf, memory).keep(line(1000, 500).source, ours);
	await t.rejects(body.untilWhole(), { message: /no storage left/ });
	body.release();
	t.equal(memory.bytes, 0);
	await shelfIsEmpty(t, shelf, files);
});

t.test("a client that disconnects leaves nothing behind", async (t) => {
	const { shelf } = await shelfOf(t);
	async function* broken() {
		yield new Uint8Array(kibibyte);
		throw new Error("gone");
	}
	const memory = roomy();
	const body = new BodyKeep(shelf, memory).keep(broken(), ours);
	await t.rejects(body.untilWholeOrFast(), /gone/);
	body.release();
	t.equal(memory.bytes, 0);
});

async function shelfIsEmpty(
	t: Test,
	shelf: AudioShelf,
	files: () => string[],
): Promise<void> {
	// the removal is not awaited
	await eventually("the shelf to be empty", () => shelf.bytes === 0, {
		seen: () => ({ bytes: shelf.bytes, files: files() }),
	});
	t.same(files(), []);
}
