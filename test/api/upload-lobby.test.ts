import t from "tap";
import { UploadLobby } from "../../runtime/api/upload-lobby.js";

const kibibyte = 1024;

/** Chunks of 16 KiB, one each `everyMs` of a clock that only they move. */
function line(count: number, everyMs: number) {
	const clock = { ms: 0, taken: 0 };
	async function* chunks() {
		for (; clock.taken < count; clock.taken++) {
			clock.ms += everyMs;
			yield new Uint8Array(16 * kibibyte);
		}
	}
	return { body: chunks(), clock, nowMs: () => clock.ms };
}

const roomy = { bytesMax: 2048 * kibibyte, totalBytesMax: 8192 * kibibyte };

t.test("a slow body is gathered whole before it asks for a slot", async (t) => {
	const { body, nowMs } = line(20, 500); // 32 KiB a second
	const gathered = await new UploadLobby(roomy, nowMs).gather(body);
	t.equal(gathered.chunks.length, 20);
	t.ok(gathered.whole);
});

t.test("a fast body asks as soon as that is known", async (t) => {
	const { body, nowMs } = line(1000, 1);
	const gathered = await new UploadLobby(roomy, nowMs).gather(body);
	t.equal(gathered.chunks.length, 4); // 64 KiB
	t.notOk(gathered.whole);
	t.notOk((await body.next()).done, "the rest is still to be had");
});

t.test("a slow body that fills its place asks with what it has", async (t) => {
	const { body, nowMs } = line(1000, 500);
	const gathered = await new UploadLobby(roomy, nowMs).gather(body);
	t.equal(gathered.chunks.length, 128);
	t.notOk(gathered.whole);
});

t.test("all bodies together keep a bounded number of bytes", async (t) => {
	const limits = { ...roomy, totalBytesMax: 512 * kibibyte };
	const slow = line(30, 500);
	const lobby = new UploadLobby(limits, slow.nowMs);
	const first = await lobby.gather(slow.body); // 480 KiB wait
	const second = await lobby.gather(line(1000, 0).body);
	t.equal(second.chunks.length, 2);
	t.equal(lobby.bytes, 512 * kibibyte);
	first.release();
	second.release();
	second.release();
	t.equal(lobby.bytes, 0);
});

t.test("a client that goes away leaves nothing behind", async (t) => {
	async function* broken() {
		yield new Uint8Array(kibibyte);
		throw new Error("gone");
	}
	const lobby = new UploadLobby();
	await t.rejects(lobby.gather(broken()), /gone/);
	t.equal(lobby.bytes, 0);
});
