/** What the device remembers of its own load. */
import t from "tap";
import { StatusHistory } from "../../runtime/appliance/status-history.js";
import { eventually } from "../fixtures/eventually.js";

t.test("samples are kept, oldest first, until it is stopped", async (t) => {
	const history = new StatusHistory(0.002);
	t.same(history.samples, []);
	history.start();
	t.teardown(() => history.stop());
	await eventually("a few samples", () => history.samples.length > 3);
	history.stop();
	const times = history.samples.map(({ at }) => at);
	t.same(
		times,
		[...times].sort((a, b) => a - b),
	);
	for (const { load, memory_used, lag_ms } of history.samples) {
		t.ok(load >= 0);
		t.ok(memory_used > 0 && memory_used < 1);
		t.ok(lag_ms >= 0);
	}
});

t.test("an hour of them is kept, no more", async (t) => {
	const history = new StatusHistory(0.002, 0.02);
	history.start();
	t.teardown(() => history.stop());
	await eventually("as many as fit", () => history.samples.length === 10);
	const first = history.samples[0];
	await eventually("the next", () => history.samples[0] !== first);
	t.equal(history.samples.length, 10);
});
