/** A microphone's events, its counters, a card that is gone, and hotwords. */
import t from "tap";
import { localDevice } from "../../runtime/session/lane-port.js";
import { FakeLane } from "../api/fake-lane.js";
import { options } from "../engine/fake-lane.js";
import { until } from "../fixtures/eventually.js";
import { fakeMicrophone } from "./fake-source.js";
import { phases, turn, utterance } from "./microphone-checks.js";

t.test("speech becomes one stream of events", async (t) => {
	const lane = new FakeLane();
	const front = fakeMicrophone(lane);
	front.microphone.start();
	front.opened();
	await turn();
	t.same(lane.askers, [localDevice], "the device's own");
	front.sound(100);
	lane.last.emit({ is: "speech-begin", index: 1, atMs: 1000 });
	lane.last.emit({
		is: "partial",
		utterance: utterance(1, "he"),
		audioMs: 2000,
	});
	lane.last.emit({
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

t.test("its counters continue after a capture process dies", async (t) => {
	const lane = new FakeLane();
	const front = fakeMicrophone(lane);
	const health = (xruns: number) =>
		front.source.onMessage({
			is: "health",
			health: {
				xruns,
				suspends: 0,
				driftPpm: 12.3,
				dcOffset: 0,
				clippedShare: 0,
				zeroSeconds: 0,
			},
		});
	front.opened();
	health(2);
	front.sound(3);
	t.match(front.microphone.stats, {
		microphone: "front",
		xruns: 2,
		reconnects: 0,
		deaths: 0,
		driftPpm: 12,
		levelsDbfs: [-60],
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
		front.opened();
		front.source.onMessage({
			is: "trouble",
			code: "ETIMEDOUT",
			message: "no sound",
			retryMs: 0,
		});
		front.source.onDeath("signal SIGKILL", 0);
		t.match(front.microphone.state, { code: "ETIMEDOUT", trouble: "no sound" });
		t.equal(front.microphone.stats.deaths, 2);
		front.source.onDeath("signal SIGKILL", 0);
		t.match(front.microphone.state, { code: "EIO", trouble: /SIGKILL/ });
	},
);

t.test("hotwords take effect with the next sentence", async (t) => {
	const lane = new FakeLane();
	const requested: (readonly string[] | undefined)[] = [];
	const front = fakeMicrophone(lane, {
		options: (hotwords) => {
			requested.push(hotwords);
			return { ...options, keepsWhole: false, streamed: true };
		},
	});
	front.opened();
	await turn();
	const first = lane.last;
	front.microphone.setHotwords(["Dashwood"]);
	t.ok(first.finished, "earlier speech gets its final");
	await until(() => lane.last !== first);
	t.same(requested, [undefined, ["Dashwood"]]);
});

t.test("words set while a slot is awaited take effect with it", async (t) => {
	const lane = new FakeLane();
	lane.behaviour = { holdSlot: true };
	const requested: (readonly string[] | undefined)[] = [];
	const front = fakeMicrophone(lane, {
		options: (hotwords) => {
			requested.push(hotwords);
			return { ...options, keepsWhole: false, streamed: true };
		},
	});
	front.opened();
	front.microphone.setHotwords(["Dashwood"]);
	await turn();
	lane.admit();
	await until(() => lane.opened.length > 0);
	t.same(requested, [undefined, ["Dashwood"]]);
	t.equal(lane.held, 1);
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
		first.emit({ is: "speech-begin", index: 1, atMs: 0 });
		await turn();
		front.microphone.setHotwords(["Dashwood"]);
		await until(() => lane.last !== first);
		const second = lane.last;
		second.emit({ is: "speech-begin", index: 1, atMs: 0 });
		await turn();
		first.emit({ is: "final", utterance: utterance(1, "One."), audioMs: 1000 });
		await turn();
		second.emit({ is: "partial", utterance: utterance(1, "tw"), audioMs: 900 });
		second.emit({
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

t.test("words set after a wake word need no second one", async (t) => {
	const lane = new FakeLane();
	lane.behaviour = { holdResult: true };
	const wake = { words: [{ phrase: "小智小智", threshold: 0.3 }], seconds: 6 };
	const front = fakeMicrophone(lane, {
		wakes: true,
		options: () => ({ ...options, keepsWhole: false, wake }),
	});
	front.opened();
	await turn();
	const first = lane.last;
	const wakeWord = { phrase: "小智小智", confidence: 0.9 };
	first.emit({
		is: "wake",
		...wakeWord,
		beginMs: 500,
		endMs: 1300,
		audioMs: 1700,
	});
	await turn();
	front.microphone.setHotwords(["Dashwood"]);
	await until(() => lane.last !== first);
	t.equal(lane.options?.wake?.awake, true);
	first.emit({ is: "final", utterance: utterance(1, "One."), audioMs: 3000 });
	first.emit({ is: "sleep", audioMs: 3000 });
	await turn();
	t.equal(front.microphone.state.phase, "listening");
	lane.last.emit({ is: "sleep", audioMs: 3000 });
	await turn();
	t.equal(front.microphone.state.phase, "waiting-for-wake-word");
});
