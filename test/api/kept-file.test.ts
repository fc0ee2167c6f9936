/** The file of a form: in memory while it is small and its caller has memory left, then whole on the disk. */
import t from "tap";
import { BodyMemory } from "../../runtime/api/body-memory.js";
import { FileKeep } from "../../runtime/api/kept-file.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";

t.test("a file is whole in memory or on the disk", async (t) => {
	const shelf = await AudioShelf.open(t.testdir(), {
		bytesMax: 1e6,
		reserveBytes: 0,
	});
	const memory = new BodyMemory(1000, 100);
	const file = new FileKeep(shelf, memory).begin("token:a");
	const all = Buffer.from(Array.from({ length: 150 }, (_, i) => i));
	const whole = async () => {
		const pieces: Uint8Array[] = [];
		for await (const piece of file.pieces()) pieces.push(piece);
		return Buffer.concat(pieces);
	};
	await file.append(all.subarray(0, 60));
	await file.append(all.subarray(60, 100));
	t.equal(memory.bytes, 100);
	t.equal(shelf.bytes, 0);
	t.same(await whole(), all.subarray(0, 100));
	t.same(Buffer.from(await file.read(50, 20)), all.subarray(50, 70));
	await file.append(all.subarray(100));
	t.equal(memory.bytes, 0, "all of it moved");
	t.equal(shelf.bytes, 150);
	t.equal(file.bytes, 150);
	t.same(await whole(), all);
	t.same(Buffer.from(await file.read(140, 20)), all.subarray(140));
	await file.release();
	await file.release();
	t.equal(shelf.bytes, 0);
});

t.test("scraps are joined where it is read from memory", async (t) => {
	const shelf = await AudioShelf.open(t.testdir(), {
		bytesMax: 1e6,
		reserveBytes: 0,
	});
	const file = new FileKeep(shelf).begin("token:a");
	const scraps = Array.from({ length: 300 }, (_, at) =>
		Buffer.alloc(3000, at % 251),
	);
	for (const scrap of scraps) await file.append(scrap);
	const pieces: Uint8Array[] = [];
	for await (const piece of file.pieces()) pieces.push(piece);
	t.same(
		pieces.map(({ byteLength }) => byteLength),
		[525_000, 375_000],
	);
	t.ok(Buffer.concat(pieces).equals(Buffer.concat(scraps)));
	await file.release();
});

t.test(
	"a caller whose share of the memory is used goes to the disk",
	async (t) => {
		const shelf = await AudioShelf.open(t.testdir(), {
			bytesMax: 1e6,
			reserveBytes: 0,
		});
		const memory = new BodyMemory(100, 100);
		const keep = new FileKeep(shelf, memory);
		const first = keep.begin("token:a");
		await first.append(Buffer.alloc(70));
		const second = keep.begin("token:a");
		await second.append(Buffer.alloc(70));
		t.equal(shelf.bytes, 70);
		await first.release();
		await second.release();
		t.equal(memory.bytes + shelf.bytes, 0);
	},
);
