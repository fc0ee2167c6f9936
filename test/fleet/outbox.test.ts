import t from "tap";
import { eventKey } from "../../runtime/store/fleet-outbox.js";
import { holds } from "../fuzz/holds.js";
import { Broker, brokerMissing } from "./broker.js";
import { Gate } from "./gate.js";
import { brokerKillsLoseNothing } from "./kills.property.js";
import { Listener } from "./listener.js";
import { RunningFleet } from "./running-fleet.js";

const skip = brokerMissing;
t.test("a broker that dies", { skip }, async (t) => {
	await holds(t, brokerKillsLoseNothing(), 2);
});

t.test(
	"sentences recognized during a shutdown are sent after the next start",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const running = await RunningFleet.during(t, { url: broker.url });
		await broker.kill();
		for (let i = 0; i < 50; i++) running.played.emitText(`sentence ${i}`);
		await running.stop();
		await broker.startAgain();
		const listener = await Listener.during(t, broker.url, [
			"earshot/hq/kiosk-1/events/final",
		]);
		await running.start();
		await listener.until((it) => it.text.includes("sentence 49"));
		const texts = listener.json("events/final").map((it) => it.text);
		t.strictSame(
			texts,
			Array.from({ length: 50 }, (_, i) => `sentence ${i}`),
		);
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.strictSame(running.rows.slice("", 10), [], "nothing is left on the disk");
	},
);

t.test(
	"what waits when a device is renamed is sent under its new name, and holds up nothing",
	{ skip },
	async (t) => {
		const folder = t.testdir({
			acl: "topic readwrite #\ntopic deny earshot/hq/wrong/#\n",
		});
		const broker = await Broker.during(t, folder, [
			"allow_anonymous true",
			`acl_file ${folder}/acl`,
		]);
		const running = await RunningFleet.during(t, {
			url: broker.url,
			device: "wrong",
		});
		running.played.emitText("old");
		await running.finish(task("one", "text"));
		await running.stop();
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		await running.start({ device: "kiosk-1" });
		running.played.emitText("new");
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		await listener.until((it) => it.topic.endsWith("kiosk-1/tasks/one"));
		await listener.until((it) => it.text.includes('"new"'));
		t.strictSame(
			listener.json("kiosk-1/events/final").map((it) => it.text),
			["old", "new"],
		);
		t.match(running.fleet.stats.outbox, { delivered: 3, dead_letters: 0 });
	},
);

t.test(
	"a dead letter that comes back and new messages don't replace each other",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const running = await RunningFleet.during(t, { url: broker.url });
		const dead = {
			stream: "any",
			topic: "earshot/hq/kiosk-1/events/final",
			body: { is: "text" as const, text: '{"text":"revived"}' },
			createdSeconds: 1,
			tries: 3,
			why: "refused",
			diedSeconds: 2,
		};
		await running.rows.bury(eventKey(1), dead);
		await running.stop();
		await broker.kill();
		await running.start(); // with nothing but the dead letter
		await running.rows.revive(eventKey(1), dead); // as the command line does
		running.played.emitText("new");
		await running.stop();
		await broker.startAgain();
		// one from before might subscribe again after the messages were sent
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		await running.start();
		await listener.until((it) => it.text.includes("new"));
		await listener.until((it) => it.text.includes("revived"));
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		const texts = listener.json("kiosk-1/events/final").map((it) => it.text);
		t.strictSame(texts.toSorted(), ["new", "revived"]);
	},
);

t.test(
	"a full outbox drops and counts the oldest, and logs it",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const gate = await Gate.start(broker.port);
		t.teardown(() => gate.close());
		gate.shut();
		const running = await RunningFleet.during(t, {
			url: gate.url,
			outbox_messages_max: 10,
		});
		// faster than any disk: none of them is stored yet when the last one comes
		for (let i = 0; i < 25; i++) running.played.emitText(`sentence ${i}`);
		await running.until(() => running.fleet.stats.outbox.dropped === 15);
		t.match(running.fleet.stats.outbox, { waiting: 10, dropped: 15 });
		t.ok(running.logged(/outbox is full/));
		gate.isOpen = true;
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		await listener.until((it) => it.text.includes("sentence 24"));
	},
);

t.test(
	"on a full disk sentences are sent from memory, and what was delivered is not sent again",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const gate = await Gate.start(broker.port);
		t.teardown(() => gate.close());
		gate.shut();
		const running = await RunningFleet.during(t, { url: gate.url });
		running.played.emitText("before");
		await running.until(() => running.rows.slice("", 10).length === 1);
		running.isDiskFull = true;
		running.played.emitText("on a full disk");
		gate.isOpen = true;
		await running.until(() => running.fleet.link.is === "up");
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.match(running.fleet.stats.outbox, { delivered: 2, dropped: 0 });
		await listener.until((it) => it.text.includes("on a full disk"));
		running.isDiskFull = false; // and nothing more is written before the stop
		await running.stop();
		await running.start();
		t.strictSame(running.rows.slice("", 10), []);
	},
);

t.test(
	"a message that breaks the connection each time does not hold up the others",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const gate = await Gate.start(broker.port);
		t.teardown(() => gate.close());
		gate.breaksOn = "poison";
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const running = await RunningFleet.during(t, {
			url: gate.url,
			outbox_tries_max: 2,
		});
		running.played.emitText("before");
		running.played.emitText("poison", "back");
		running.played.emitText("behind it", "back");
		running.played.emitText("elsewhere");
		for (const text of ["before", "behind it", "elsewhere"])
			await listener.until((it) => it.text.includes(text));
		const texts = listener.json("events/final").map((it) => it.text);
		// one whose acknowledgement was on its way when the connection broke is sent again
		const sent = [...new Set(texts)].sort();
		t.strictSame(sent, ["before", "behind it", "elsewhere"]);
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.equal(running.fleet.stats.outbox.dead_letters, 1);
		const [dead] = running.rows.dead();
		t.match(dead?.value.why, /connection broke/);
		t.match(dead?.value.body, { is: "text", text: /poison/ });
	},
);

t.test(
	"a message above the broker's packet limit is set aside, and the rest is sent",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir(), [
			"allow_anonymous true",
			"max_packet_size 2000",
		]);
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const running = await RunningFleet.during(t, { url: broker.url });
		running.played.emitText("x".repeat(5000));
		running.played.emitText("short");
		await listener.until((it) => it.text.includes("short"));
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.match(running.fleet.stats, {
			connections: 1,
			outbox: { dead_letters: 1 },
		});
		t.match(running.rows.dead()[0]?.value.why, /2000 bytes/);
	},
);

t.test(
	"on a full disk a message that can't be delivered does not hold up the others",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir(), [
			"allow_anonymous true",
			"max_packet_size 2000",
		]);
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const running = await RunningFleet.during(t, { url: broker.url });
		await running.until(() => running.fleet.link.is === "up");
		running.isDiskFull = true;
		running.played.emitText("x".repeat(5000));
		running.played.emitText("short");
		await listener.until((it) => it.text.includes("short"));
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.equal(running.fleet.stats.outbox.dead_letters, 0, "not yet");
		running.isDiskFull = false;
		await running.until(() => running.fleet.stats.outbox.dead_letters === 1);
		t.match(running.rows.dead()[0]?.value.why, /2000 bytes/);
	},
);

t.test(
	"a message with an invalid topic is set aside once, and the connection stays",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const running = await RunningFleet.during(t, { url: broker.url });
		const ids = ["#", "a/+/b", "x\u0000", "\ufffe", "x".repeat(70_000)];
		const write = (id: string, at: number) => {
			const { stored: _, ...withoutText } = task(id, "lost");
			running.played.tasks.set(id, withoutText);
			return running.rows.put(eventKey(at + 1), {
				stream: "any",
				topic: "any",
				body: { is: "task", id },
				createdSeconds: 1,
				tries: 0,
			});
		};
		await Promise.all(ids.map(write));
		await running.stop();
		await running.start();
		running.played.emitText("behind them");
		await listener.until((it) => it.text.includes("behind them"));
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.match(running.fleet.stats, {
			connections: 1,
			topics_refused: ids.length,
			outbox: { dead_letters: ids.length },
		});
		t.match(running.rows.dead()[0]?.value.why, /invalid topic/);
		const warned = running.log.filter((it) => /invalid topic/.test(it.message));
		t.equal(warned.length, 1, "said once");
	},
);

t.test(
	"a limit that the broker only reports when it is exceeded counts as well",
	{ skip },
	async (t) => {
		// it answers with a reason code that is invalid in an acknowledgement, which ends the connection
		const broker = await Broker.during(t, t.testdir(), [
			"allow_anonymous true",
			"message_size_limit 1000",
		]);
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const running = await RunningFleet.during(t, {
			url: broker.url,
			outbox_tries_max: 2,
		});
		running.played.emitText("x".repeat(5000));
		running.played.emitText("short");
		await listener.until((it) => it.text.includes("short"));
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.match(running.rows.dead()[0]?.value.why, /connection broke .*, 2 times/);
		t.equal(running.fleet.stats.outbox.dead_letters, 1);
		for (const { key } of running.rows.dead()) await running.rows.forget(key);
		t.equal(
			running.fleet.stats.outbox.dead_letters,
			0,
			"the command line forgot it",
		);
	},
);

t.test(
	"a message that the broker refuses is retried, and set aside after several tries",
	{ skip },
	async (t) => {
		const folder = t.testdir({
			acl: "topic readwrite #\ntopic deny earshot/hq/kiosk-1/tasks/#\n",
		});
		const broker = await Broker.during(t, folder, [
			"allow_anonymous true",
			`acl_file ${folder}/acl`,
		]);
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const running = await RunningFleet.during(t, {
			url: broker.url,
			outbox_tries_max: 2,
		});
		await running.finish(task("one", "text"));
		running.played.emitText("elsewhere");
		await listener.until((it) => it.text.includes("elsewhere"));
		await running.until(() => running.fleet.stats.outbox.dead_letters === 1);
		t.match(running.rows.dead()[0]?.value.why, /not authorised, 2 times/);
		// the broker's answer to the other message may still be on its way
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.match(running.fleet.stats, { connections: 1, outbox: { waiting: 0 } });
	},
);

t.test(
	"a transcript that the broker does not accept is left to be fetched",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir(), [
			"allow_anonymous true",
			"max_packet_size 1500",
		]);
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const running = await RunningFleet.during(t, { url: broker.url });
		await running.finish(task("one", "long ".repeat(1000)));
		await running.finish(task("two", "short"));
		await listener.until((it) => it.topic.endsWith("tasks/one"));
		await listener.until((it) => it.topic.endsWith("tasks/two"));
		const [one] = listener.json("tasks/one");
		const [two] = listener.json("tasks/two");
		t.match(one, {
			task_id: "one",
			desc: "Completed",
			result_is_left_out: true,
		});
		t.notOk(one && "result" in one);
		t.match(two, {
			result: [{ transcript: "short" }],
			statistics: { speed: 1 },
		});
		t.equal(running.fleet.stats.outbox.dead_letters, 0);
		const unlimited = await RunningFleet.during(t, {
			url: broker.url,
			device: "unlimited",
			result_kilobytes_max: 0,
		});
		await unlimited.finish(task("three", "short"));
		await listener.until((it) => it.topic.endsWith("tasks/three"));
		const [three] = listener.json("tasks/three");
		t.match(three, { result: [{ transcript: "short" }] }, "0 is no limit");
	},
);

t.test(
	"a transcript that ends the connection each time is left to be fetched at last",
	{ skip },
	async (t) => {
		// mosquitto answers with a reason code that is invalid in an acknowledgement, which ends the connection
		const broker = await Broker.during(t, t.testdir(), [
			"allow_anonymous true",
			"message_size_limit 1000",
		]);
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const running = await RunningFleet.during(t, {
			url: broker.url,
			outbox_tries_max: 2,
		});
		await running.finish(task("one", "long ".repeat(1000)));
		await listener.until((it) => it.topic.endsWith("tasks/one"));
		t.match(listener.json("tasks/one"), [
			{ task_id: "one", desc: "Completed", result_is_left_out: true },
		]);
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.match(running.fleet.stats.outbox, { delivered: 1, dead_letters: 0 });
	},
);

function task(id: string, transcript: string) {
	const time = "2026-01-01 00:00:00";
	return {
		id,
		owner: "token:me" as const,
		state: "completed" as const,
		fileName: "a.wav",
		audioMs: 1000,
		insertSeconds: 1,
		finishSeconds: 2,
		progress: 100,
		notes: [],
		stored: {
			*segments() {
				yield {
					begin: "00:00:00,000",
					end: "00:00:01,000",
					seg_num: 1,
					transcript,
					confidence: 1,
					paragraph: 1,
				};
			},
			statistics: {
				speed: 1,
				word_count: 1,
				insert_time: time,
				process_time: time,
				finish_time: time,
			},
		},
	};
}
