import { mock } from "node:test";
import t from "tap";
import { Admission } from "../../runtime/engine/admission.js";
import { Capacity } from "../../runtime/engine/capacity.js";
import { EventStream } from "../../runtime/engine/event-stream.js";
import { creditBytes } from "../../runtime/engine/protocol.js";
import { localDevice } from "../../runtime/session/lane-port.js";
import { ListHoldingLane } from "../../runtime/session/list-holding-lane.js";
import { StandingRecognition } from "../../runtime/session/standing-recognition.js";
import { ListUsage } from "../../runtime/words/list-usage.js";
import { eventually } from "../fixtures/eventually.js";
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
	const recognition = await lane.open(options, localDevice);
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
	const recognition = await lane.open(options, localDevice);
	const bytes = Buffer.from("before");
	recognition.write(bytes);
	bytes.write("after!");
	recognition.finish();
	t.equal(textOf(await eventsOf(recognition)), "before");
});

t.test("recognitions of one engine do not mix", async (t) => {
	const { lane } = fakeLane(t);
	const [first, second] = [
		await lane.open(options, localDevice),
		await lane.open(options, localDevice),
	];
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
	const recognition = await lane.open(options, localDevice);
	order(recognition, "fail");
	await rejectsWith(t, eventsOf(recognition), {
		status: "200006",
		message: "not audio",
	});
	t.equal(lane.state.busy, 0);
});

t.test("a writer learns when to wait and when to continue", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options, localDevice);
	const drained = new Promise<void>((resolve) => recognition.onDrain(resolve));
	t.equal(recognition.write(Buffer.from("small")), true);
	t.equal(recognition.write(Buffer.alloc(creditBytes * 2)), false);
	await drained;
	t.equal(recognition.write(Buffer.from("small")), true);
	recognition.cancel();
});

t.test("what an ended recognition left counts as unused", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options, localDevice);
	recognition.write(Buffer.alloc(creditBytes * 2));
	recognition.cancel();
	t.equal(recognition.unusedBytes, creditBytes * 2);
});

t.test("an engine that answers nothing fails its request", async (t) => {
	const { lane } = fakeLane(t, { answerMsMax: 100 });
	const recognition = await lane.open(options, localDevice);
	order(recognition, "keep");
	await rejectsWith(t, eventsOf(recognition), {
		status: "100003",
		message: "the engine did not answer in time",
	});
	t.equal(lane.state.busy, 0);
});

t.test("a client that only reads is not late", async (t) => {
	// an engine that gets no processor for seconds is late only where the test says so
	mock.timers.enable({ apis: ["setTimeout"] });
	const { lane } = fakeLane(t, { answerMsMax: 2000 });
	t.teardown(() => mock.timers.reset()); // before the engine is stopped
	const listens = await lane.open(options, localDevice);
	const drained = new Promise<void>((resolve) => listens.onDrain(resolve));
	order(listens, "hello");
	await drained;
	const waits = await lane.open(options, localDevice);
	order(waits, "keep");
	// its deadline began after the other one's last sign of life
	mock.timers.tick(2000);
	await rejectsWith(t, eventsOf(waits), {
		message: "the engine did not answer in time",
	});
	listens.finish();
	t.equal(textOf(await eventsOf(listens)), "hello");
});

t.test("cancel frees the slot and ends the events", async (t) => {
	const { lane } = fakeLane(t, { slots: 1, queueMax: 0 });
	const recognition = await lane.open(options, localDevice);
	recognition.cancel();
	recognition.cancel();
	t.same(await eventsOf(recognition), []);
	t.equal(lane.state.busy, 0);
	t.equal(recognition.write(Buffer.from("late")), true);
	recognition.finish();
	(await lane.open(options, localDevice)).cancel();
});

t.test("a reader that stops reading cancels", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options, localDevice);
	order(recognition, "begin");
	for await (const event of recognition.events) {
		t.equal(event.is, "speech-begin");
		break;
	}
	t.equal(lane.state.busy, 0);
});

t.test(
	"with all slots taken a caller waits, with a full queue it is refused",
	async (t) => {
		const { lane } = fakeLane(t, { slots: 1, queueMax: 1 });
		const first = await lane.open(options, localDevice);
		const waiting = lane.open(options, localDevice);
		await rejectsWith(t, lane.open(options, localDevice), {
			status: "100004",
			message: /queue is full/,
			retryAfterSeconds: Number,
		});
		t.match(lane.state, { busy: 1, queued: 1, refused: 1, slots: 1 });
		first.cancel();
		const second = await waiting;
		t.match(lane.state, { busy: 1, queued: 0 });
		second.cancel();
	},
);

t.test("a microphone that waits for a slot is not refused", async (t) => {
	const { lane } = fakeLane(t, { slots: 1, queueMax: 0 });
	const first = await lane.open(options, "token:a");
	const tried: string[] = [];
	const microphone = new StandingRecognition(
		new ListHoldingLane(lane, new ListUsage()),
		() => options,
		{
			onWake: () => {},
			onSleep: () => {},
			onBegin: () => {},
			onUtterance: () => {},
			onAvailability: (_, why) => tried.push(why ?? "recognizes"),
		},
	);
	t.teardown(() => microphone.cancel());
	microphone.open();
	await eventually("another attempt", () => tried.length > 1 || undefined);
	t.match(tried[1], /queue is full/);
	t.equal(lane.state.refused, 0);
	await rejectsWith(t, lane.open(options, "token:b"), { status: "100004" });
	t.equal(lane.state.refused, 1, "as a client is");
	first.cancel();
	await eventually("its slot", () => tried.includes("recognizes") || undefined);
});

t.test("no caller waits longer than the queue allows", async (t) => {
	const { lane } = fakeLane(t, { slots: 1, queueMsMax: 50 });
	const first = await lane.open(options, localDevice);
	await rejectsWith(t, lane.open(options, localDevice), {
		status: "100004",
		message: /no free slot in time/,
	});
	t.equal(lane.state.queued, 0);
	first.cancel();
});

t.test("a caller that aborts leaves the queue", async (t) => {
	const { lane } = fakeLane(t, { slots: 1 });
	const first = await lane.open(options, localDevice);
	const abort = new AbortController();
	const waiting = lane.open(options, localDevice, abort.signal);
	abort.abort();
	await rejectsWith(t, waiting, { name: "AbortError" });
	t.equal(lane.state.queued, 0);
	first.cancel();
	t.equal(lane.state.busy, 0);
	await rejectsWith(t, lane.open(options, localDevice, abort.signal), {
		name: "AbortError",
	});
});

t.test(
	"a caller that aborts while waiting for the engine releases its slot",
	async (t) => {
		const { lane } = fakeLane(t, { environment: { FAKE_READY_MS: "600000" } });
		const abort = new AbortController();
		const waiting = lane.open(options, localDevice, abort.signal);
		abort.abort();
		await rejectsWith(t, waiting, { name: "AbortError" });
		t.equal(lane.state.busy, 0);
	},
);

t.test("an engine that takes too long to start is 100004", async (t) => {
	const { lane } = fakeLane(t, {
		environment: { FAKE_READY_MS: "600000" },
		limits: { waitMsMax: 50 },
	});
	await rejectsWith(t, lane.open(options, localDevice), {
		status: "100004",
		retryAfterSeconds: 1,
	});
	t.equal(lane.state.busy, 0);
});

t.test("a live caller is notified at once when the engine dies", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(
		{ ...options, streamed: true },
		localDevice,
	);
	order(recognition, "begin", "die");
	const events = eventsOf(recognition);
	await rejectsWith(t, events, { status: "230004" });
	t.equal(lane.state.busy, 0);
	const next = await lane.open({ ...options, streamed: true }, localDevice);
	order(next, "hello");
	next.finish();
	t.equal(textOf(await eventsOf(next)), "hello", "the next one is fine");
});

t.test("a live caller gets the same code for a silent engine", async (t) => {
	const { lane } = fakeLane(t, { answerMsMax: 100 });
	const recognition = await lane.open(
		{ ...options, streamed: true },
		localDevice,
	);
	order(recognition, "keep");
	await rejectsWith(t, eventsOf(recognition), { status: "230004" });
});

t.test("a sentence's end keeps its position in the audio", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options, localDevice);
	recognition.endSentence();
	order(recognition, "one");
	recognition.endSentence();
	order(recognition, "two", "three");
	recognition.endSentence();
	recognition.endSentence();
	recognition.finish();
	recognition.endSentence();
	t.match(
		textOf(await eventsOf(recognition)),
		/^\[end] one \[end] two three \[end]( \[end])?$/,
	);
});

t.test("a sentence's end waits behind queued audio", async (t) => {
	const { lane } = fakeLane(t);
	const recognition = await lane.open(options, localDevice);
	t.equal(recognition.write(Buffer.alloc(creditBytes + 100_000, "x")), false);
	recognition.endSentence();
	recognition.finish();
	const text = textOf(await eventsOf(recognition)) ?? "";
	t.ok(text.endsWith(" [end]"), text.slice(-20));
	t.equal(text.split("[end]").length, 2);
});

t.test("the number of slots may decrease and increase", async (t) => {
	let decoded = { audioSeconds: 0, decodeSeconds: 0 };
	const capacity = new Capacity(2, 1);
	const slots = () => capacity.slots(decoded, 0);
	const admission = new Admission({
		slots,
		queueMax: 2,
		queueMsMax: 20_000,
		shareMax: 1,
	});
	const [first, second] = [
		await admission.acquire("token:a"),
		await admission.acquire("token:a"),
	];
	decoded = { audioSeconds: 60, decodeSeconds: 40 };
	t.equal(admission.slots, 1);
	let admitted = 0;
	const third = admission.acquire("token:a").then(() => admitted++);
	first();
	await new Promise(setImmediate);
	t.equal(admitted, 0, "one is left, and that is all the device can hold");
	decoded = { audioSeconds: 600, decodeSeconds: 80 };
	second();
	await third;
	t.ok(admission.slots > 2);
});

t.test("a device holds what it was measured to hold", async (t) => {
	const capacity = new Capacity(8, 2);
	t.equal(capacity.slots(undefined, 0), 8);
	const early = { audioSeconds: 9, decodeSeconds: 9 };
	t.equal(capacity.slots(early, 9), 8, "too early");
	const earlyOf = (audioSeconds: number, decodeSeconds: number) =>
		new Capacity(8, 2).slots({ audioSeconds, decodeSeconds }, 9);
	t.equal(earlyOf(50, 3), 15, "fast already");
	t.equal(earlyOf(50, 1), 16, "at most twice as many so early");
	t.equal(earlyOf(50, 9), 8, "and never fewer");
	t.equal(earlyOf(30, 1), 8, "after ten sentences, not after seven");
	const measured = { audioSeconds: 200, decodeSeconds: 10 };
	t.equal(new Capacity(8, 2).slots(measured, 20), 18, "a fast device");
	const work = { audioSeconds: 400, decodeSeconds: 40 };
	t.equal(capacity.slots(work, 40), 9);
	const slower = { audioSeconds: 400 + 240, decodeSeconds: 40 + 120 };
	t.equal(capacity.slots(slower, 160), 2, "a busy neighbour came");
	t.equal(capacity.slots(slower, 161), 2, "the same report changes nothing");
	const restarted = { audioSeconds: 3000, decodeSeconds: 159 };
	t.ok(capacity.slots(restarted, 320) > 8, "a new engine counts from zero");
});

t.test("after a minute of work another engine's own pace counts", async (t) => {
	const capacity = new Capacity(8, 2);
	let slots = 0;
	for (let i = 1; i <= 100; i++)
		slots = capacity.slots({ audioSeconds: 400 * i, decodeSeconds: 4 * i }, i);
	t.equal(slots, 90);
	const started = { audioSeconds: 0, decodeSeconds: 0 };
	t.equal(capacity.slots(started, 500), 90, "nothing is known of it yet");
	slots = capacity.slots({ audioSeconds: 130, decodeSeconds: 65 }, 600);
	t.ok(slots <= 15, `a bigger model: ${slots} slots`);
});

t.test(
	"the pace of an engine before is not the best of the next one",
	async (t) => {
		const capacity = new Capacity(8, 2);
		for (let i = 1; i <= 100; i++)
			capacity.slots({ audioSeconds: 400 * i, decodeSeconds: 4 * i }, 5 * i);
		const reportOf = (i: number) => ({
			audioSeconds: 20 * i,
			decodeSeconds: 5 * i,
		});
		let slots = 0;
		for (let i = 0; i <= 80; i++)
			slots = capacity.slots(reportOf(i), 510 + 5 * i);
		t.ok(slots <= 4, `${slots} slots at four times real time`);
		for (let i = 1; i <= 8; i++)
			slots = capacity.slots(reportOf(80), 910 + 5 * i);
		t.ok(slots <= 8, `${slots} slots after forty quiet seconds`);
	},
);

t.test("after a minute of quiet a device is full again", async (t) => {
	const capacity = new Capacity(8, 2);
	const fast = { audioSeconds: 600, decodeSeconds: 40 };
	t.equal(capacity.slots(fast, 40), 13);
	const slowed = { audioSeconds: 840, decodeSeconds: 240 };
	const held = capacity.slots(slowed, 240);
	t.ok(held < 8, "beside a neighbour's load");
	const still = { ...slowed }; // reports are new, what they say is not
	t.equal(capacity.slots(still, 260), held, "it may come back at once");
	t.equal(capacity.slots({ ...still }, 300), 13, "as measured before");
	const busy = { audioSeconds: 850, decodeSeconds: 249 };
	t.ok(capacity.slots(busy, 310) <= held, "and it is measured anew");
	const other = new Capacity(8, 2);
	t.equal(other.slots(slowed, 240), 3, "the first measurement");
	t.equal(other.slots(still, 300), 8, "nothing better is known than at first");
});

t.test("a device with little work is quiet, however often it is asked", (t) => {
	const capacity = new Capacity(16, 4);
	const slowed = { audioSeconds: 240, decodeSeconds: 200 };
	t.equal(capacity.slots(slowed, 200), 4);
	let report = slowed;
	for (let second = 1; second <= 120; second++) {
		if (second % 2 === 0) {
			const work = second % 10 === 0 ? 0.3 : 0;
			report = {
				audioSeconds: report.audioSeconds + work,
				decodeSeconds: report.decodeSeconds + work,
			};
		}
		capacity.slots(report, 200 + second);
	}
	t.equal(capacity.slots(report, 321), 16);
	t.end();
});

t.test("a slow reader gets only the newest partial", async (t) => {
	const stream = new EventStream<string>(() => {});
	const isGuess = (text: string) => text.startsWith("guess");
	for (const it of ["guess 1", "guess 2", "final", "guess 3", "guess 4"])
		if (isGuess(it)) stream.replaceLast(it, isGuess);
		else stream.push(it);
	stream.end();
	const read: string[] = [];
	for await (const it of stream) read.push(it);
	t.same(read, ["guess 2", "final", "guess 4"]);
});
