import t from "tap";
import { creditBytes } from "../../runtime/engine/protocol.js";
import {
	eventsOf,
	fakeLane,
	options,
	order,
	rejectsWith,
	textOf,
} from "./fake-lane.js";

t.test("audio goes to the engine and its events come back", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options);
	order(recognition, "begin", "one", "final", "two");
	recognition.finish();
	const events = await eventsOf(recognition);
	t.same(
		events.map((it) => it.is),
		["speech-begin", "final", "completed"],
	);
	t.equal(textOf(events), "begin one final two");
});

t.test("written bytes are copied", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options);
	const bytes = Buffer.from("before");
	recognition.write(bytes);
	bytes.write("after!");
	recognition.finish();
	t.equal(textOf(await eventsOf(recognition)), "before");
});

t.test("recognitions of one engine do not mix", async (t) => {
	const { lane } = fakeLane(t);
	const [first, second] = [await lane.open(options), await lane.open(options)];
	for (let i = 0; i < 20; i++) {
		order(first, `a${i}`);
		order(second, `b${i}`);
	}
	first.finish();
	second.finish();
	const [one, two] = await Promise.all([eventsOf(first), eventsOf(second)]);
	t.match(textOf(one), /^(a\d+ ?){20}$/);
	t.match(textOf(two), /^(b\d+ ?){20}$/);
});

t.test("a failure keeps its code and its reason", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options);
	order(recognition, "fail");
	await rejectsWith(t, eventsOf(recognition), {
		status: "200006",
		message: "not audio",
	});
	t.equal(lane.state.busy, 0);
});

t.test("a writer is told to wait, and when to go on", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options);
	const drained = new Promise<void>((resolve) => recognition.onDrain(resolve));
	t.equal(recognition.write(Buffer.from("small")), true);
	t.equal(recognition.write(Buffer.alloc(creditBytes * 2)), false);
	await drained;
	t.equal(recognition.write(Buffer.from("small")), true);
	recognition.cancel();
});

t.test("an engine that answers nothing fails its request", async (t) => {
	const { lane } = fakeLane(t, { answerMsMax: 100 });
	const recognition = await lane.open(options);
	order(recognition, "keep");
	await rejectsWith(t, eventsOf(recognition), {
		status: "100003",
		message: "the engine gave no answer in time",
	});
	t.equal(lane.state.busy, 0);
});

t.test("a client that only listens is not late", async (t) => {
	const { lane } = fakeLane(t, { answerMsMax: 50 });
	const recognition = await lane.open(options);
	order(recognition, "hello");
	await new Promise((resolve) => setTimeout(resolve, 200));
	recognition.finish();
	t.equal(textOf(await eventsOf(recognition)), "hello");
});

t.test("cancel frees the slot and ends the events", async (t) => {
	const { lane } = fakeLane(t, { slots: 1, queueMax: 0 });
	const recognition = await lane.open(options);
	recognition.cancel();
	recognition.cancel();
	t.same(await eventsOf(recognition), []);
	t.equal(lane.state.busy, 0);
	t.equal(recognition.write(Buffer.from("late")), true);
	recognition.finish();
	(await lane.open(options)).cancel();
});

t.test("a reader who leaves cancels", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options);
	order(recognition, "begin");
	for await (const event of recognition.events) {
		t.equal(event.is, "speech-begin");
		break;
	}
	t.equal(lane.state.busy, 0);
});

t.test("past the slots one waits, past the queue one is refused", async (t) => {
	const { lane } = fakeLane(t, { slots: 1, queueMax: 1 });
	const first = await lane.open(options);
	const waiting = lane.open(options);
	await rejectsWith(t, lane.open(options), {
		status: "100004",
		message: /queue is full/,
		retryAfterSeconds: Number,
	});
	t.match(lane.state, { busy: 1, queued: 1, refused: 1, slots: 1 });
	first.cancel();
	const second = await waiting;
	t.match(lane.state, { busy: 1, queued: 0 });
	second.cancel();
});

t.test("nobody waits longer than the queue allows", async (t) => {
	const { lane } = fakeLane(t, { slots: 1, queueMsMax: 50 });
	const first = await lane.open(options);
	await rejectsWith(t, lane.open(options), {
		status: "100004",
		message: /no free slot in time/,
	});
	t.equal(lane.state.queued, 0);
	first.cancel();
});

t.test("who stops waiting leaves the queue", async (t) => {
	const { lane } = fakeLane(t, { slots: 1 });
	const first = await lane.open(options);
	const abort = new AbortController();
	const waiting = lane.open(options, abort.signal);
	abort.abort();
	await rejectsWith(t, waiting, { name: "AbortError" });
	t.equal(lane.state.queued, 0);
	first.cancel();
	t.equal(lane.state.busy, 0);
	await rejectsWith(t, lane.open(options, abort.signal), {
		name: "AbortError",
	});
});

t.test("who stops waiting for the engine gives the slot back", async (t) => {
	const { lane } = fakeLane(t, { environment: { FAKE_READY_MS: "600000" } });
	const abort = new AbortController();
	const waiting = lane.open(options, abort.signal);
	abort.abort();
	await rejectsWith(t, waiting, { name: "AbortError" });
	t.equal(lane.state.busy, 0);
});

t.test("an engine that takes too long to start is 100004", async (t) => {
	const { lane } = fakeLane(t, {
		environment: { FAKE_READY_MS: "600000" },
		limits: { waitMsMax: 50 },
	});
	await rejectsWith(t, lane.open(options), {
		status: "100004",
		retryAfterSeconds: 1,
	});
	t.equal(lane.state.busy, 0);
});
