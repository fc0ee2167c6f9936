/** Messages that the broker refused, in the order in which they were set aside, whatever the clock says. */
import t, { type Test } from "tap";
import { DeadLetters } from "../../runtime/fleet/outbox/dead-letters.js";
import { Database } from "../../runtime/store/database.js";
import {
	type DeadLetterRow,
	eventKey,
	FleetOutboxRepository,
} from "../../runtime/store/fleet-outbox.js";

const letter = (diedSeconds: number): DeadLetterRow => ({
	stream: "final front",
	topic: "a/topic",
	body: { is: "text", text: "Hello." },
	createdSeconds: diedSeconds,
	tries: 8,
	why: "refused",
	diedSeconds,
});
const rightSeconds = 1_790_000_000;
/** Of a device without a battery, until a time server is reached. */
const wrongSeconds = 60;

function databaseOf(t: Test) {
	const database = Database.open(`${t.testdir()}/store.mdb`);
	t.teardown(() => database.close());
	return database;
}
const keysIn = (rows: FleetOutboxRepository) =>
	rows.dead().map(({ key }) => key);

t.test("a clock that was set back or forward reorders none", async (t) => {
	const database = databaseOf(t);
	const rows = new FleetOutboxRepository(database);
	// of a version that kept no order
	const older = database.table<DeadLetterRow>("fleet.dead");
	await older.put(eventKey(9), letter(rightSeconds - 100));
	await older.put(eventKey(8), letter(rightSeconds - 50));
	await rows.bury(eventKey(7), letter(rightSeconds));
	await rows.bury(eventKey(6), letter(wrongSeconds));
	const restarted = new FleetOutboxRepository(database);
	await restarted.bury(eventKey(5), letter(wrongSeconds - 50));
	const keys = [9, 8, 7, 6, 5].map(eventKey);
	t.strictSame(keysIn(restarted), keys);
	const [, , first] = restarted.dead();
	if (!first) throw new Error("there is none");
	await restarted.revive(first.key, first.value);
	t.strictSame(
		Object.keys(restarted.get(first.key) ?? {}).sort(),
		["body", "createdSeconds", "stream", "topic", "tries"],
		"a message again as any other",
	);
});

t.test("of more than a thousand the newest are kept", async (t) => {
	const rows = new FleetOutboxRepository(databaseOf(t));
	const thousand = Array.from({ length: 1000 }, (_, at) => at);
	await Promise.all(
		thousand.map((at) => rows.bury(eventKey(at), letter(rightSeconds + at))),
	);
	await new DeadLetters(rows).bury(eventKey(1000), letter(wrongSeconds));
	const keys = keysIn(rows);
	t.equal(keys.length, 1000);
	t.equal(keys[0], eventKey(1), "the oldest one is gone");
	t.equal(keys.at(-1), eventKey(1000));
});
