/** Audio that is kept while no engine takes it: after a death, during silence, in an outage. */
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { FakeLane } from "../api/fake-lane.js";
import { until } from "../fixtures/eventually.js";
import { fakeMicrophone } from "./fake-source.js";
import {
	bytesOf,
	finals,
	phases,
	turn,
	utterance,
} from "./microphone-checks.js";

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
		first.emit({ is: "speech-begin", index: 1, atMs: 0 });
		await turn();
		front.sound(40);
		first.emit({
			is: "final",
			utterance: utterance(1, "One.", 0),
			audioMs: 2000,
		});
		first.emit({ is: "speech-begin", index: 2, atMs: 1500 });
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
		second.emit({ is: "speech-begin", index: 1, atMs: 500 });
		second.emit({
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

t.test(
	"when an engine is replaced in a pause the next one is given the silence again, and nobody hears of it",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { keepBytes: true };
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		const first = lane.last;
		front.sound(1000);
		const { length } = front.events;
		first.replace();
		t.equal(first.over, true, "it has nothing left to do");
		front.sound(5);
		await until(() => lane.last !== first);
		const second = lane.last;
		const kept = bytesOf(second.chunks) / 1280;
		t.ok(kept > 75 && kept <= 80, `${kept} periods, the rest in a moment`);
		second.emit({ is: "speech-begin", index: 1, atMs: 2000 });
		second.emit({
			is: "final",
			utterance: utterance(1, "One.", 2000),
			audioMs: 3000,
		});
		await turn();
		t.same(
			front.events.slice(length).map((it) => it.is),
			["speech-begin", "final"],
		);
		first.replace();
		await turn();
		t.equal(lane.last, second, "one that was replaced is no longer asked");
		t.equal(front.microphone.state.lostSeconds, 0);
	},
);

t.test(
	"recognitions that the engine refuses are opened with pauses, and the state says why",
	async (t) => {
		class RefusingEngine extends FakeLane {
			override async open(...request: Parameters<FakeLane["open"]>) {
				const recognition = await super.open(...request);
				const { last } = this;
				setImmediate(() =>
					last.fail(new CodedError("200008", "no Chinese here")),
				);
				return recognition;
			}
		}
		const lane = new RefusingEngine();
		const front = fakeMicrophone(lane);
		const sinceMs = performance.now();
		front.opened();
		for (let turns = 0; turns < 500; turns++) await turn();
		// pauses of 200 ms, 400 ms and so on: a busy machine takes its time for the turns
		const elapsedMs = performance.now() - sinceMs;
		const pauses = Math.log2(1 + elapsedMs / 200) + elapsedMs / 5000; // doubled up to 5 s
		t.ok(
			lane.opened.length <= 4 + pauses,
			`${lane.opened.length} openings in the time of ${pauses} pauses`,
		);
		// one of them may just be open
		await until(() => front.microphone.state.phase === "waiting-for-engine");
		const states = front.events.flatMap((it) =>
			it.is === "state" ? [it.state] : [],
		);
		const last = { phase: "waiting-for-engine", trouble: "no Chinese here" };
		t.match(states.at(-1), last);
		t.match(front.microphone.state, last);
		await front.microphone.stop();
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
		lane.last.emit({
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

t.test(
	"speech that an outage lost does not keep the silence after it",
	async (t) => {
		const lane = new FakeLane();
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		const first = lane.last;
		front.sound(25);
		first.emit({ is: "speech-begin", index: 1, atMs: 0 });
		await turn();
		lane.behaviour = { refuse: new CodedError("100004", "full") };
		first.fail(new CodedError("230004"));
		await turn();
		front.sound(1100);
		lane.behaviour = {};
		await until(() => lane.last !== first);
		const { lostSeconds } = front.microphone.state;
		t.equal(lostSeconds, 5);
		front.sound(2000);
		t.equal(front.microphone.state.lostSeconds, lostSeconds);
	},
);

t.test(
	"what a slow engine has not taken yet is given to it after a mute",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { keepBytes: true, stallTurns: -1, holdResult: true };
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		const slow = lane.last;
		front.sound(50);
		front.microphone.setMuted(true);
		front.sound(25);
		t.notOk(slow.finished);
		for (let drains = 0; drains < 50 && !slow.finished; drains++) slow.drain();
		t.ok(slow.finished);
		t.equal(bytesOf(slow.chunks), 50 * 1280, "and nothing of later");
		t.equal(front.microphone.state.lostSeconds, 0);
	},
);

t.test(
	"new words leave what a slow engine has not taken to the next one",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { keepBytes: true, stallTurns: -1 };
		const front = fakeMicrophone(lane);
		front.opened();
		await turn();
		const slow = lane.last;
		front.sound(50);
		lane.behaviour = { keepBytes: true };
		front.microphone.setHotwords(["Dashwood"]);
		t.ok(slow.finished);
		await until(() => lane.last !== slow);
		front.sound(2); // in silence an incomplete chunk waits
		const given = bytesOf(slow.chunks) + bytesOf(lane.last.chunks);
		t.equal(given, 52 * 1280);
	},
);

t.test(
	"what was said while a slot is awaited is recognized although the key was released",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { keepBytes: true, holdSlot: true };
		const front = fakeMicrophone(lane, { pushToTalk: true });
		front.opened();
		front.microphone.setTalking(true);
		front.sound(50);
		front.microphone.setTalking(false);
		front.sound(25);
		lane.admit();
		await until(() => lane.opened.length > 0);
		const { last } = lane;
		t.equal(bytesOf(last.chunks), 50 * 1280);
		t.ok(last.finished);
		t.equal(front.microphone.state.phase, "waiting-for-talk");
		front.microphone.setTalking(true);
		front.sound(25);
		front.microphone.setTalking(false);
		lane.refuseWaiting(new CodedError("100004", "full"));
		await turn();
		t.equal(front.microphone.state.lostSeconds, 1.5, "or counted as lost");
	},
);

t.test("a stop waits for what was said before the mute", async (t) => {
	const lane = new FakeLane();
	lane.behaviour = { holdResult: true };
	const front = fakeMicrophone(lane);
	front.opened();
	await turn();
	const { last } = lane;
	front.sound(50);
	front.microphone.setMuted(true);
	const stopped = front.microphone.stop();
	last.emit({ is: "speech-begin", index: 1, atMs: 0 });
	const said = utterance(1, "One.", 0);
	last.emit({ is: "final", utterance: said, audioMs: 2000 });
	last.release();
	await stopped;
	t.same(finals(front.events), ["1 One."]);
});
