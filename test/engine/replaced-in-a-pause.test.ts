/** An engine that uses too much memory while it is used by recognitions without an end: those of microphones. */
import t, { type Test } from "tap";
import { audioBytesMax, creditBytes } from "../../runtime/engine/protocol.js";
import type { BacklogFormat } from "../../runtime/session/audio-backlog.js";
import { type Lane, localDevice } from "../../runtime/session/lane-port.js";
import { ListHoldingLane } from "../../runtime/session/list-holding-lane.js";
import { StandingRecognition } from "../../runtime/session/standing-recognition.js";
import { ListUsage } from "../../runtime/words/list-usage.js";
import { eventually } from "../fixtures/eventually.js";
import {
	eventsOf,
	type FakeLaneOptions,
	fakeLane,
	options,
} from "./fake-lane.js";

/** A command to the engine takes a quarter of a second. */
const format = { rateHz: 20, bytesPerSample: 1 };

function standingOn(
	lane: Lane,
	onEvent: (event: string) => void,
	format: BacklogFormat,
): StandingRecognition {
	return new StandingRecognition(
		new ListHoldingLane(lane, new ListUsage()),
		() => ({ ...options, streamed: true }),
		{
			onWake: () => {},
			onSleep: () => {},
			onBegin: (index) => onEvent(`begin ${index}`),
			onUtterance: (is, _, index) => onEvent(`${is} ${index}`),
			onAvailability: (isRecognizing) =>
				onEvent(isRecognizing ? "recognizes" : "does not"),
		},
		{ format },
	);
}

async function microphoneOn(t: Test, fake: FakeLaneOptions = {}) {
	const { supervisor, lane, logged } = fakeLane(t, fake);
	const events: string[] = [];
	const microphone = standingOn(lane, (event) => events.push(event), format);
	t.teardown(() => microphone.cancel());
	microphone.open();
	const heard = (event: string) =>
		eventually(event, () => events.includes(event), { seen: () => events });
	const say = async (command: string, event: string) => {
		microphone.accept(Buffer.from(command));
		await heard(event);
	};
	await heard("recognizes");
	const engine = await supervisor.engine();
	/** Settles when it has reported its memory, and what follows from that is done. */
	const reported = async (rssBytes: number) => {
		const before = engine.load;
		await eventually(
			"a report",
			() => engine.load !== before && engine.load?.rssBytes === rssBytes,
		);
	};
	return {
		supervisor,
		lane,
		logged,
		microphone,
		events,
		engine,
		say,
		reported,
	};
}

const grownBytes = 2_000_000;

t.test(
	"an engine that only microphones use is replaced in a pause, and they go on in the next",
	async (t) => {
		const { supervisor, logged, microphone, events, engine, say, reported } =
			await microphoneOn(t);
		await say("begin", "begin 1");
		microphone.accept(Buffer.from("grow"));
		await reported(grownBytes);
		t.equal((await supervisor.engine()).pid, engine.pid, "speech: it stays");
		await say("final", "final 1");
		await logged("restarting engine: it uses too much memory");
		t.match(
			await engine.exited,
			{ requested: true, reason: "exit code 0" },
			"it had nothing left to do",
		);
		await say("begin", "begin 2");
		await say("final", "final 2");
		t.not((await supervisor.engine()).pid, engine.pid);
		t.same(
			events.filter((it) => it !== "recognizes"),
			["begin 1", "final 1", "begin 2", "final 2"],
			"nothing is heard of it",
		);
		t.equal(microphone.backlog.lostSamples, 0);
		t.match(supervisor.state, { deaths: 0, restarts: 1 });
	},
);

t.test("what a client sends keeps its engine to the end", async (t) => {
	const { supervisor, lane, logged, engine, microphone, reported } =
		await microphoneOn(t);
	const client = await lane.open(options, localDevice);
	microphone.accept(Buffer.from("grow"));
	await reported(grownBytes);
	await reported(grownBytes);
	t.equal((await supervisor.engine()).pid, engine.pid);
	client.finish();
	await eventsOf(client);
	await logged("restarting engine: it uses too much memory");
	await engine.exited;
});

t.test(
	"an engine in use is not replaced soon after its start: its limit may be below what it needs",
	async (t) => {
		const { supervisor, engine, microphone, reported } = await microphoneOn(t, {
			limits: { usedMsMin: 600_000 },
		});
		microphone.accept(Buffer.from("grow"));
		await reported(grownBytes);
		await reported(grownBytes);
		t.equal((await supervisor.engine()).pid, engine.pid);
	},
);

t.test("nor is an idle one", async (t) => {
	const environment = { FAKE_RSS: "2000000", FAKE_READY_RSS: "1500000" };
	const { supervisor } = fakeLane(t, {
		environment,
		limits: { usedMsMin: 600_000 },
	});
	const engine = await supervisor.engine();
	await eventually("a report", () => engine.load);
	const { load } = engine;
	await eventually("another", () => engine.load !== load);
	t.equal((await supervisor.engine()).pid, engine.pid);

	const later = fakeLane(t, { environment });
	await later.supervisor.engine();
	const message =
		"restarting engine: it needs more memory than engine.rss_megabytes_max from the start";
	await later.logged(message);
	t.match(
		later.lines.find((it) => it.message === message),
		{
			level: "warn",
			fields: {
				lane: "live",
				rssBytes: 2_000_000,
				rssBytesMax: 1_000_000,
				readyBytes: 1_500_000,
			},
		},
		"with what it may have, and what it needs",
	);
});

t.test("a microphone that moves keeps its slot, the only one", async (t) => {
	const { events, engine, logged, microphone, say } = await microphoneOn(t, {
		slots: 1,
		queueMax: 0,
	});
	microphone.accept(Buffer.from("grow"));
	await logged("restarting engine: it uses too much memory");
	await engine.exited;
	await say("begin", "begin 1");
	t.notOk(events.includes("does not"));
});

t.test("nothing moves while somebody waits for its slot", async (t) => {
	const { supervisor, lane, logged, engine, microphone, reported } =
		await microphoneOn(t, { slots: 1 });
	const patience = new AbortController();
	const client = lane.open(options, "token:client", patience.signal);
	microphone.accept(Buffer.from("grow"));
	await reported(grownBytes);
	await reported(grownBytes);
	t.equal((await supervisor.engine()).pid, engine.pid);
	t.equal(lane.state.queued, 1);
	patience.abort();
	await t.rejects(client);
	await logged("restarting engine: it uses too much memory");
});

t.test("one that was closed takes the rest of its audio first", async (t) => {
	const { supervisor, lane, logged, engine, microphone, reported } =
		await microphoneOn(t);
	const leg = standingOn(lane, () => {}, { rateHz: 32_000, bytesPerSample: 1 });
	t.teardown(() => leg.cancel());
	leg.open();
	await eventually("its slot", () => leg.isRecognizing);
	// of which the engine uses up nothing
	for (let i = 0; i < 2; i++)
		leg.accept(Buffer.alloc(creditBytes + audioBytesMax, "keep:..."));
	leg.close();
	microphone.accept(Buffer.from("grow"));
	await reported(grownBytes);
	await reported(grownBytes);
	t.equal((await supervisor.engine()).pid, engine.pid);
	leg.cancel();
	await logged("restarting engine: it uses too much memory");
});
