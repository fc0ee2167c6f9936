/** A client whose audio has arrived is not late, however long this process stood still or others keep it busy. */
import { mock } from "node:test";
import t from "tap";
import { ClientTimeout } from "../../runtime/api/feed/client-timeout.js";
import { Deferred } from "../../runtime/event-loop/deferred.js";
import { sharedTurn } from "../../runtime/event-loop/slices.js";

t.test("audio that waits for a slice comes in time", async (t) => {
	let nowMs = 0;
	mock.method(performance, "now", () => nowMs);
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => {
		mock.timers.reset();
		mock.restoreAll();
	});
	const ends: boolean[] = [];
	const judged = new Deferred<void>();
	const timeout = new ClientTimeout(
		(slow) => ends.push(slow),
		() => false,
		(judge) => {
			judge();
			judged.resolve();
		},
	);
	timeout.begin(10);
	// as sockets are read behind the timers: another one takes the slice, and this client's audio waits for one
	setTimeout(() => {
		t.notOk(sharedTurn.isOver);
		nowMs += 5;
		t.ok(sharedTurn.isOver);
		sharedTurn.enter(sharedTurn.place(1), () => timeout.extend(1000));
	}, 10_000);
	nowMs = 60_000;
	mock.timers.tick(10_000);
	await judged.promise;
	t.same(ends, []);
	timeout.end();
});
