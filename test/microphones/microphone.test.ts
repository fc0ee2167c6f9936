import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import type { MicrophoneEvent } from "../../runtime/microphones/microphone-events.js";
import type { Utterance } from "../../runtime/session/events.js";
import { localDevice } from "../../runtime/session/lane-port.js";
import { FakeLane } from "../api/fake-lane.js";
import { options } from "../engine/fake-lane.js";
import { conditionOf, eventually } from "../fixtures/eventually.js";
import { fakeMicrophone } from "./fake-source.js";

const utterance = (index: number, text: string, beginMs = 0): Utterance => ({
	index,
	beginMs,
	endMs: beginMs + 1000,
	text,
	confidence: 0.9,
	words: [],
});

const turn = () => new Promise<void>((done) => setImmediate(done));
function until(is: () => boolean): Promise<true> {
	return eventually(conditionOf(is), is);
}

const phases = (events: readonly MicrophoneEvent[]) =>
	events.flatMap((it) => (it.is === "state" ? [it.state.phase] : []));
const finals = (events: readonly MicrophoneEvent[]) =>
	events.flatMap((it) =>
		it.is === "final" ? [`${it.utterance.index} ${it.utterance.text}`] : [],
	);
const bytesOf = (chunks: readonly Uint8Array[]) =>
	chunks.reduce((sum, it) => sum + it.length, 0);

t.test("speech becomes one stream of events", async (t) => {
	const lane = new FakeLane();
	const front = fakeMicrophone(lane);
	front.microphone.start();
	front.opened();
	await turn();
	t.same(lane.askers, [localDevice], "the device's own");
	front.sound(100);
	lane.last.tell({ is: "speech-begin", index: 1, atMs: 1000 });
	lane.last.tell({
		is: "partial",
		utterance: utterance(1, "he"),
		audioMs: 2000,
	});
	lane.last.tell({
		is: "final",
		utterance: utterance(1, "Hello.", 1000),
		audioMs: 3000,
	});
	await turn();
	t.same(phases(front.events), ["starting", "waiting-for-engine", "listening"]);
	const [begin, partial, final] = front.events.slice(-3);
	const place = { microphone: "front", room: "lobby", language: "en-US" };
	t.match(begin, { ...place, is: "speech-begin", index: 1 });
	t.match(partial, { is: "partial", utterance: { text: "he" } });
	// 4 s of sound arrived until 1,004,000
	t.match(final, {
		...place,
		is: "final",
		utterance: {
			index: 1,
			text: "Hello.",
			beginAtMs: 1_001_000,
			endAtMs: 1_002_000,
		},
	});
	t.notOk("azimuthDeg" in (final as { utterance: object }).utterance);
});

t.test(
	"when an engine dies nothing is lost and nothing is emitted twice",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { keepBytes: true };
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		const first = lane.last;
		front.sound(10);
		first.tell({ is: "speech-begin", index: 1, atMs: 0 });
		await turn();
		front.sound(40);
		first.tell({
			is: "final",
			utterance: utterance(1, "One.", 0),
			audioMs: 2000,
		});
		first.tell({ is: "speech-begin", index: 2, atMs: 1500 });
		await turn();
		front.sound(50);
		lane.behaviour = {
			keepBytes: true,
			refuse: new CodedError("100004", "no recognition engine is ready"),
		};
		first.fail(new CodedError("230004"));
		await turn();
		front.sound(25);
		lane.behaviour = { keepBytes: true };
		await until(() => lane.last !== first);
		const second = lane.last;
		// from the end of the last final, 1 s, to now, 5 s
		t.equal(bytesOf(second.chunks), 4 * 32_000);
		second.tell({ is: "speech-begin", index: 1, atMs: 500 });
		second.tell({
			is: "final",
			utterance: utterance(1, "Two.", 500),
			audioMs: 4000,
		});
		await turn();
		t.same(finals(front.events), ["1 One.", "2 Two."]);
		t.equal(
			front.events.filter((it) => it.is === "speech-begin").length,
			2,
			"the second one began once",
		);
		const last = front.events.findLast((it) => it.is === "final");
		t.match(last, { utterance: { beginAtMs: 1_001_500 } }, "on the same clock");
		t.ok(phases(front.events).includes("waiting-for-engine"));
		t.equal(front.microphone.state.lostSeconds, 0);
	},
);

t.test("during silence the last seconds are kept", async (t) => {
	const lane = new FakeLane();
	lane.behaviour = { keepBytes: true };
	const front = fakeMicrophone(lane);
	front.opened();
	await turn();
	const first = lane.last;
	front.sound(1000);
	first.fail(new CodedError("230004"));
	await until(() => lane.last !== first);
	const kept = bytesOf(lane.last.chunks) / 1280;
	t.ok(kept > 70 && kept <= 75, `${kept} periods, the rest in a moment`);
});

t.test("audio that a busy engine has not processed yet is kept", async (t) => {
	const lane = new FakeLane();
	lane.behaviour = { keepBytes: true };
	const front = fakeMicrophone(lane);
	front.opened();
	await turn();
	const busy = lane.last;
	front.sound(50);
	for (let behind = 0; behind < 200; behind++) {
		busy.unusedBytes = behind * 1280; // up to 8 s, which may contain speech
		front.sound(1);
	}
	busy.fail(new CodedError("230004"));
	await until(() => lane.last !== busy);
	const kept = bytesOf(lane.last.chunks) / 1280;
	t.ok(kept >= 200 && kept < 250, `${kept} periods`);
});

t.test(
	"an outage that is too long loses the oldest audio, which is reported",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { refuse: new CodedError("100004", "full") };
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		front.sound(1100);
		t.match(front.microphone.state, {
			phase: "waiting-for-engine",
			trouble: "full",
			lostSeconds: 4,
		});
		await front.microphone.stop();
		t.equal(front.microphone.state.phase, "stopped");
	},
);

t.test(
	"an engine slower than speech is given what it takes, and the backlog is bounded",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { keepBytes: true, stallTurns: -1 };
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		const slow = lane.last;
		front.sound(10);
		t.equal(slow.chunks.length, 1, "it accepts no more");
		front.sound(900);
		t.equal(slow.chunks.length, 1);
		t.equal(front.microphone.state.lostSeconds, 0, "36 s wait");
		lane.behaviour = { keepBytes: true };
		front.sound(200);
		await turn();
		t.ok(slow.finished, "its next audio was dropped");
		t.not(lane.last, slow);
		t.equal(bytesOf(lane.last.chunks), 1000 * 1280, "40 s are kept");
		t.equal(front.microphone.state.lostSeconds, 4.4);
		front.sound(10);
		// during silence an incomplete chunk waits
		const given = bytesOf(lane.last.chunks) / 1280;
		t.ok(given >= 1008 && given <= 1010, `${given}: and it goes on`);
	},
);

t.test("lost audio shifts only what comes after it", async (t) => {
	const lane = new FakeLane();
	const front = fakeMicrophone(lane);
	front.opened();
	await turn();
	front.sound(50); // until 1,002,000
	front.lost(500);
	front.sound(50); // until 1,004,500
	for (const [index, beginMs] of [
		[1, 1000],
		[2, 2400],
	] as const)
		lane.last.tell({
			is: "final",
			utterance: utterance(index, "Said.", beginMs),
			audioMs: 4000,
		});
	await turn();
	t.same(
		front.events.flatMap((it) =>
			it.is === "final" ? [it.utterance.beginAtMs] : [],
		),
		[1_001_000, 1_002_900],
	);
	t.equal(front.microphone.state.lostSeconds, 0.5);
});

t.test("its counters continue after a capture process dies", async (t) => {
	const lane = new FakeLane();
	const front = fakeMicrophone(lane);
	const health = (xruns: number) =>
		front.source.onMessage({
			is: "health",
			health: {
				...{ xruns, suspends: 0, driftPpm: 12.3, dcOffset: 0 },
				...{ clippedShare: 0, zeroSeconds: 0 },
			},
		});
	front.opened();
	health(2);
	front.sound(3);
	t.match(front.microphone.stats, {
		...{ microphone: "front", xruns: 2, reconnects: 0, deaths: 0 },
		...{ driftPpm: 12, levelsDbfs: [-60] },
	});
	front.sound(1, undefined, -20);
	const { levelsDbfs, momentLevelsDbfs } = front.microphone.stats;
	t.ok((momentLevelsDbfs[0] ?? 0) > -24, "a sound is seen at once");
	t.ok((levelsDbfs[0] ?? 0) < -30, "the mean over a second follows later");
	front.source.onDeath("signal SIGKILL", 0);
	t.match(
		front.microphone.stats,
		{ levelsDbfs: [], momentLevelsDbfs: [] },
		"no sound comes",
	);
	front.opened();
	health(1);
	t.match(front.microphone.stats, { xruns: 3, reconnects: 1, deaths: 1 });
	t.ok(front.microphone.stats.events.state >= 3);
});

t.test(
	"a muted microphone is not recognized, and earlier speech gets its final",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { keepBytes: true, holdResult: true };
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		front.sound(10);
		front.microphone.setMuted(true);
		const first = lane.last;
		t.ok(first.finished);
		first.tell({ is: "speech-begin", index: 1, atMs: 0 });
		first.tell({ is: "final", utterance: utterance(1, "Last."), audioMs: 400 });
		await turn();
		t.same(finals(front.events), ["1 Last."]);
		front.sound(100);
		t.equal(bytesOf(first.chunks), 10 * 1280, "all audio before");
		front.microphone.setMuted(false);
		await until(() => lane.last !== first);
		t.ok(bytesOf(lane.last.chunks) <= 13 * 1280, "half a second from before");
		t.same(phases(front.events).slice(-3), [
			"muted",
			"waiting-for-engine",
			"listening",
		]);
	},
);

t.test(
	"a microphone that is muted stays so while its device is gone",
	async (t) => {
		const front = fakeMicrophone(new FakeLane());
		front.opened();
		await turn();
		front.source.onMessage({
			...{ is: "trouble", code: "ENODEV", message: "No such device" },
			retryMs: 250,
		});
		const isMuted = () =>
			front.events.flatMap((it) => (it.is === "state" ? it.state.muted : []));
		t.match(front.microphone.state, { phase: "no-device", muted: false });
		front.microphone.setMuted(true);
		t.match(front.microphone.state, { phase: "no-device", muted: true });
		t.equal(isMuted().at(-1), true, "and who follows it learns it");
		front.opened();
		await turn();
		t.match(front.microphone.state, { phase: "muted", muted: true });
		front.microphone.setMuted(false);
		t.equal(isMuted().at(-1), false);
	},
);

t.test("push to talk recognizes while the key is pressed", async (t) => {
	const lane = new FakeLane();
	const front = fakeMicrophone(lane, { pushToTalk: true });
	front.opened();
	front.sound(10);
	await turn();
	t.equal(front.microphone.state.phase, "waiting-for-talk");
	t.equal(lane.opened.length, 0, "it takes no slot");
	front.microphone.setTalking(true);
	await turn();
	t.equal(front.microphone.state.phase, "listening");
	front.microphone.setTalking(false);
	t.ok(lane.last.finished);
});

t.test(
	"a disconnected card is reported with its reason, and recognized again later",
	async (t) => {
		const lane = new FakeLane();
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		front.source.onMessage({
			is: "trouble",
			code: "ENODEV",
			message: "No such device",
			retryMs: 250,
		});
		t.match(front.microphone.state, {
			phase: "no-device",
			code: "ENODEV",
			trouble: "No such device",
		});
		t.ok(lane.last.finished, "earlier speech gets its final");
		front.opened();
		await turn();
		t.equal(front.microphone.state.phase, "listening");
		front.source.onDeath("signal SIGSEGV", 0);
		t.match(front.microphone.state, { phase: "no-device", trouble: /SIGSEGV/ });
	},
);

t.test("hotwords take effect with the next sentence", async (t) => {
	const lane = new FakeLane();
	const asked: (readonly string[] | undefined)[] = [];
	const front = fakeMicrophone(lane, {
		options: (hotwords) => {
			asked.push(hotwords);
			return { ...options, keepsWhole: false, streamed: true };
		},
	});
	front.opened();
	await turn();
	const first = lane.last;
	front.microphone.setHotwords(["Dashwood"]);
	t.ok(first.finished, "earlier speech gets its final");
	await until(() => lane.last !== first);
	t.same(asked, [undefined, ["Dashwood"]]);
});

t.test(
	"words set in mid-sentence leave each sentence its events",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { holdResult: true };
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		const first = lane.last;
		first.tell({ is: "speech-begin", index: 1, atMs: 0 });
		await turn();
		front.microphone.setHotwords(["Dashwood"]);
		await until(() => lane.last !== first);
		const second = lane.last;
		second.tell({ is: "speech-begin", index: 1, atMs: 0 });
		await turn();
		first.tell({ is: "final", utterance: utterance(1, "One."), audioMs: 1000 });
		await turn();
		second.tell({ is: "partial", utterance: utterance(1, "tw"), audioMs: 900 });
		second.tell({
			is: "final",
			utterance: utterance(1, "Two."),
			audioMs: 1000,
		});
		await turn();
		t.same(
			front.events.flatMap((it) => {
				if (it.is === "speech-begin") return [`begin ${it.index}`];
				if (it.is !== "partial" && it.is !== "final") return [];
				return [`${it.is} ${it.utterance.index} ${it.utterance.text}`];
			}),
			["begin 1", "begin 2", "final 1 One.", "partial 2 tw", "final 2 Two."],
		);
	},
);

t.test("speech that a mute ends without a final is over", async (t) => {
	const lane = new FakeLane();
	const wake = { words: [{ phrase: "小智小智", threshold: 0.3 }], seconds: 6 };
	const front = fakeMicrophone(lane, {
		wakes: true,
		options: () => ({ ...options, keepsWhole: false, wake }),
	});
	front.opened();
	await turn();
	const first = lane.last;
	first.tell({ is: "speech-begin", index: 1, atMs: 0 });
	await turn();
	lane.behaviour = { refuse: new CodedError("100004", "full") };
	first.fail(new CodedError("230004"));
	await turn();
	front.microphone.setMuted(true);
	lane.behaviour = {};
	front.microphone.setMuted(false);
	await until(() => lane.last !== first);
	t.equal(lane.options?.wake?.awake, undefined, "a call is awaited again");
	front.sound(1100);
	t.equal(front.microphone.state.lostSeconds, 0, "silence is not kept");
	lane.last.tell({ is: "speech-begin", index: 1, atMs: 0 });
	await turn();
	const begins = front.events.filter((it) => it.is === "speech-begin");
	t.equal(begins.length, 2);
});

t.test(
	"a wake word is an event, and the state says when one is awaited",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { keepBytes: true };
		const wake = {
			words: [{ phrase: "小智小智", threshold: 0.3 }],
			seconds: 6,
		};
		const front = fakeMicrophone(lane, {
			wakes: true,
			options: () => ({ ...options, keepsWhole: false, wake }),
		});
		front.microphone.start();
		front.opened();
		await turn();
		t.match(lane.options?.wake, wake);
		front.sound(50);
		const said = { phrase: "小智小智", confidence: 0.9 };
		lane.last.tell({
			...{ is: "wake", ...said, beginMs: 500, endMs: 1300, audioMs: 1700 },
		});
		await turn();
		t.match(
			front.events.find((it) => it.is === "wake"),
			{
				...{ microphone: "front", room: "lobby" },
				wake: { ...said, beginAtMs: 1_000_500, endAtMs: 1_001_300 },
			},
		);
		t.equal(front.microphone.state.phase, "listening");
		lane.last.fail(new CodedError("230004"));
		await until(() => lane.opened.length === 2);
		t.equal(lane.options?.wake?.awake, true, "no second call");
		lane.last.tell({ is: "sleep", audioMs: 3000 });
		await turn();
		t.equal(front.microphone.state.phase, "waiting-for-wake-word");
		t.equal(front.microphone.stats.events.wake, 1);
		t.same(phases(front.events), [
			...["starting", "waiting-for-engine", "waiting-for-wake-word"],
			...["listening", "waiting-for-wake-word"],
		]);
	},
);
