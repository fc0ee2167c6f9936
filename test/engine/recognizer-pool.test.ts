/**
 * Several copies of a recognizer working on one file, with a number for speech: which copy gets which segment, and that none gets two batches at once.
 */
import t from "tap";
import {
	type PoolClient,
	RecognizerPool,
} from "../../runtime/engine/child/pool/recognizer-pool.js";
import { holds } from "../fuzz/holds.js";
import { eachIsRecognizedOnce } from "./recognizer-pool.property.js";
import {
	ownOf,
	recognizeAll,
	SlowCopy,
	segment,
	textsOf,
	until,
} from "./slow-copies.js";

function poolOf(own: SlowCopy, other: SlowCopy): RecognizerPool {
	const pool = new RecognizerPool(ownOf(own, 1));
	pool.join(other);
	return pool;
}

await holds(t, eachIsRecognizedOnce(), 50);

t.test("a free copy takes the next batch", async (t) => {
	const [own, other] = [new SlowCopy(), new SlowCopy()];
	const pool = poolOf(own, other);
	const work = recognizeAll(pool, [1, 2, 3, 4].map(segment));
	const turn = () => new Promise((resolve) => setImmediate(resolve));
	await turn();
	t.ok(own.busy && other.busy);
	for (let i = 0; i < 2; i++) {
		other.release();
		await turn();
	}
	t.equal(other.batches.length, 3, "the other one is still at its first");
	t.equal(own.batches.length, 1);
	await until(work, [own, other], () => 0);
});

t.test("a failure fails only the requests of its batch", async (t) => {
	const [own, other] = [new SlowCopy(), new SlowCopy()];
	const pool = poolOf(own, other);
	const bad = recognizeAll(pool, [1, 13, 2].map(segment));
	const good = recognizeAll(pool, [3, 4].map(segment));
	bad.catch(() => {});
	const both = Promise.allSettled([bad, good]);
	await until(both, [own, other], () => 0);
	await t.rejects(bad, { message: "thirteen" });
	t.same(textsOf(await good), ["3", "4"]);
	t.same(
		textsOf(
			await until(recognizeAll(pool, [segment(5)]), [own, other], () => 0),
		),
		["5"],
	);
	await pool.close();
	t.ok(other.closed);
	t.notOk(own.closed, "whoever opened it closes it");
});

t.test("a copy that dies gets no more requests", async (t) => {
	const [own, other] = [new SlowCopy(), new SlowCopy()];
	const pool = poolOf(own, other);
	t.equal(pool.others, 1);
	const bad = recognizeAll(pool, [segment(13)]);
	bad.catch(() => {});
	await new Promise((resolve) => setImmediate(resolve));
	t.ok(other.busy);
	other.hasEnded = true;
	other.release();
	await t.rejects(bad, { message: "thirteen" });
	t.equal(pool.others, 0);
	const results = recognizeAll(pool, [1, 2].map(segment));
	t.same(textsOf(await until(results, [own], () => 0)), ["1", "2"]);
	t.equal(other.batches.length, 1);
	const next = new SlowCopy();
	pool.join(next);
	next.hasEnded = true; // while idle
	const more = recognizeAll(pool, [3, 4].map(segment));
	t.same(textsOf(await until(more, [own], () => 0)), ["3", "4"]);
});

t.test(
	"whoever waits sees that work on others' segments goes on",
	async (t) => {
		const own = new SlowCopy();
		const pool = new RecognizerPool(ownOf(own, 1));
		const seen: string[] = [];
		const clientOf = (name: string): PoolClient => ({
			onBegin: () => seen.push(`${name} begins`),
			onOthersProgress: () => seen.push(`${name} waits`),
		});
		const work = [
			pool.recognize(segment(1), clientOf("first")),
			pool.recognize(segment(2), clientOf("second")),
		];
		const turn = () => new Promise((resolve) => setImmediate(resolve));
		const poll = () => own.batches.at(-1)?.[0]?.cancelled?.();
		await turn();
		t.same(seen, ["first begins"], "nobody polled: it may hang");
		t.equal(poll(), false);
		t.same(seen, ["first begins", "second waits"]);
		own.release();
		await turn();
		poll();
		t.same(seen, ["first begins", "second waits", "second begins"]);
		t.same(textsOf(await until(Promise.all(work), [own], () => 0)), ["1", "2"]);
	},
);
