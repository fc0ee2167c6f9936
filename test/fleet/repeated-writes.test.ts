/** An outbox on a disk that is full for a while; its broker accepts everything. */
import { mock } from "node:test";
import t, { type Test } from "tap";
import { FleetOutbox } from "../../runtime/fleet/outbox/outbox.js";
import { Database } from "../../runtime/store/database.js";
import { FleetOutboxRepository } from "../../runtime/store/fleet-outbox.js";
import { listeningLog } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";

function onDisk(t: Test) {
	const disk = { isFull: false };
	const database = Database.open(`${t.testdir()}/store.mdb`, {
		freeBytes: () => (disk.isFull ? 0 : Number.MAX_SAFE_INTEGER),
	});
	t.teardown(() => database.close());
	const rows = new FleetOutboxRepository(database);
	const logged: string[] = [];
	const outbox = new FleetOutbox({
		rows,
		limits: { messagesMax: 10_000, bytesMax: 10_000_000, triesMax: 2 },
		topicOf: () => "a/topic",
		nowSeconds: () => 1,
		log: listeningLog(({ message }) => logged.push(message)),
	});
	const next = () => {
		const [first] = outbox.ready(performance.now());
		if (!first) throw new Error("nothing is ready");
		return first;
	};
	const { mock: removals } = mock.method(rows, "remove");
	return { disk, database, rows, outbox, next, logged, removals };
}

t.test("writes that failed are repeated once the disk has room", async (t) => {
	const { disk, rows, outbox, next, logged } = onDisk(t);
	await outbox.add("final front", "delivered while it was full");
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => mock.timers.reset());
	disk.isFull = true;
	await outbox.done(next());
	await outbox.add("final front", "in memory");
	await outbox.add("final front", "in memory as well");
	const first = next();
	t.match(outbox.read(first), { topic: "a/topic", body: { text: /memory/ } });
	await outbox.failed(first, "refused");
	t.equal(outbox.read(first)?.tries, 1, "it is counted in memory");
	t.equal(rows.slice("", 10).length, 1);
	t.equal(logged.length, 2, "each kind of failure once");
	disk.isFull = false;
	mock.timers.tick(1000);
	mock.timers.reset();
	const texts = () =>
		rows
			.slice("", 10)
			.map(({ value: { body } }) => "text" in body && body.text);
	await eventually("both on the disk", () => texts().length === 2);
	t.strictSame(texts(), ["in memory", "in memory as well"]);
	await outbox.close();
	t.match(outbox.stats, { waiting: 2, dropped: 0, delivered: 1 });
});

t.test(
	"a task that is announced anew takes the place of a dead letter that waits for the disk",
	async (t) => {
		const { disk, database, rows, outbox, next } = onDisk(t);
		const announce = async () => {
			await database.together([outbox.announcingTask("one")]);
			outbox.taskAnnounced("one");
		};
		await announce();
		disk.isFull = true;
		await outbox.bury(next(), "too large");
		disk.isFull = false;
		await announce();
		await outbox.close();
		t.match(outbox.read(next()), { topic: "a/topic" });
		t.equal(rows.slice("", 10).length, 1);
		t.equal(rows.deadCount(), 0);
	},
);

t.test("what a full disk loses is counted", async (t) => {
	const { disk, outbox, logged, removals } = onDisk(t);
	disk.isFull = true;
	for (let i = 0; i < 1001; i++) await outbox.add("final front", `${i}`);
	t.match(outbox.stats, { waiting: 1000, dropped: 1 }, "memory is bounded");
	t.equal(removals.callCount(), 0, "nothing to remove later: none has a row");
	await outbox.close();
	t.equal(outbox.stats.dropped, 1001);
	t.match(logged.at(-1), /are lost/);
});
