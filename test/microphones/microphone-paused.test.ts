/** A microphone that is not recognized: muted, before its key is pressed, before a wake word. */
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { FakeLane } from "../api/fake-lane.js";
import { options } from "../engine/fake-lane.js";
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
		first.emit({ is: "speech-begin", index: 1, atMs: 0 });
		first.emit({ is: "final", utterance: utterance(1, "Last."), audioMs: 400 });
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
			is: "trouble",
			code: "ENODEV",
			message: "No such device",
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
	first.emit({ is: "speech-begin", index: 1, atMs: 0 });
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
	lane.last.emit({ is: "speech-begin", index: 1, atMs: 0 });
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
		const wakeWord = { phrase: "小智小智", confidence: 0.9 };
		lane.last.emit({
			is: "wake",
			...wakeWord,
			beginMs: 500,
			endMs: 1300,
			audioMs: 1700,
		});
		await turn();
		t.match(
			front.events.find((it) => it.is === "wake"),
			{
				microphone: "front",
				room: "lobby",
				wake: { ...wakeWord, beginAtMs: 1_000_500, endAtMs: 1_001_300 },
			},
		);
		t.equal(front.microphone.state.phase, "listening");
		lane.last.fail(new CodedError("230004"));
		await until(() => lane.opened.length === 2);
		t.equal(lane.options?.wake?.awake, true, "no second call");
		await turn();
		const seconds = lane.last.bytes / 2 / 16_000;
		t.ok(seconds > 0.6 && seconds < 0.8, `${seconds} s: what follows the call`);
		lane.last.emit({ is: "sleep", audioMs: 3000 });
		await turn();
		t.equal(front.microphone.state.phase, "waiting-for-wake-word");
		t.equal(front.microphone.stats.events.wake, 1);
		t.same(phases(front.events), [
			"starting",
			"waiting-for-engine",
			"waiting-for-wake-word",
			"listening",
			"waiting-for-engine",
			"listening",
			"waiting-for-wake-word",
		]);
	},
);

t.test("a wake word from before a mute opens nothing after it", async (t) => {
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
	front.microphone.setMuted(true);
	const wakeWord = { phrase: "小智小智", confidence: 0.9 };
	first.emit({
		is: "wake",
		...wakeWord,
		beginMs: 500,
		endMs: 1300,
		audioMs: 1700,
	});
	first.emit({ is: "sleep", audioMs: 3000 });
	await turn();
	t.equal(front.microphone.stats.events.wake, 1, "it was said");
	front.microphone.setMuted(false);
	await until(() => lane.last !== first);
	await turn();
	t.equal(lane.options?.wake?.awake, undefined);
	t.equal(front.microphone.state.phase, "waiting-for-wake-word");
});

t.test("speech that an outage lost is over when a pause ends it", async (t) => {
	const lane = new FakeLane();
	const wake = { words: [{ phrase: "小智小智", threshold: 0.3 }], seconds: 6 };
	const front = fakeMicrophone(lane, {
		wakes: true,
		options: () => ({ ...options, keepsWhole: false, wake }),
	});
	front.opened();
	await turn();
	const first = lane.last;
	first.emit({ is: "speech-begin", index: 1, atMs: 0 });
	await turn();
	first.fail(new CodedError("230004"));
	await until(() => lane.last !== first);
	t.equal(lane.options?.wake?.awake, true);
	const second = lane.last;
	second.emit({ is: "sleep", audioMs: 6000 });
	await turn();
	t.equal(front.microphone.state.phase, "waiting-for-wake-word");
	front.microphone.setHotwords(["明天"]);
	await until(() => lane.last !== second);
	t.equal(lane.options?.wake?.awake, undefined, "a call is awaited again");
});
