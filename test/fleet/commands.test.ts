import { setTimeout as pause } from "node:timers/promises";
import t, { type Test } from "tap";
import { fleetCommands } from "../../runtime/config/sections/fleet.js";
import type { FleetConfig } from "../../runtime/fleet/settings.js";
import { replyTopicFault } from "../../runtime/fleet/topics.js";
import { nextHexId } from "../fixtures/ids.js";
import { Broker, brokerMissing } from "./broker.js";
import { Gate } from "./gate.js";
import { Listener } from "./listener.js";
import { RunningFleet } from "./running-fleet.js";

const skip = brokerMissing;
const base = "earshot/hq/kiosk-1";

async function open(t: Test, changes: Partial<FleetConfig> = {}) {
	const broker = await Broker.during(t, t.testdir());
	const listener = await Listener.during(t, broker.url, [
		"answers/#",
		`${base}/replies`,
		`${base}/status`,
	]);
	const running = await RunningFleet.during(t, {
		url: broker.url,
		commands: [...fleetCommands],
		commands_per_second: 1000,
		...changes,
	});
	await listener.until((it) => it.text.includes('"online"'));
	/** As in MQTT 5: with a response topic and correlation data. */
	const ask = async (name: string, message: unknown) => {
		const correlation = nextHexId(8);
		await listener.publish(`${base}/cmd/${name}`, message, {
			properties: {
				responseTopic: "answers/me",
				correlationData: Buffer.from(correlation),
			},
		});
		const reply = await listener.until((it) => it.correlation === correlation);
		return JSON.parse(reply.text);
	};
	return { broker, listener, running, ask };
}

t.test("each command is executed and answered", { skip }, async (t) => {
	const { running, ask } = await open(t);
	const success = { schema: 1, status: "000000", message: "success" };
	t.match(await ask("mute", { microphone: "front", muted: true }), {
		...success,
		command: "mute",
		data: null,
	});
	t.match(await ask("talk", { microphone: "front", talking: true }), success);
	const words = ["Earshot", "耳"];
	t.match(await ask("hotwords", { microphone: "front", words }), success);
	t.match(await ask("hotwords", { microphone: "front" }), success);
	t.match(
		await ask("hotwords", { microphone: "front", words: "a|b" }),
		success,
	);
	t.match(await ask("reload", ""), {
		...success,
		data: { changed: ["log.level"], need_restart: [] },
	});
	t.match(await ask("restart-engine", {}), success);
	t.match(await ask("restart-engine", { lane: "batch" }), success);
	const file = {
		file_url: "http://nas/a.wav",
		lang_type: "en",
		format: "wav",
		clusters: 2,
	};
	t.match(await ask("transcribe", { ...file, request: "r1" }), {
		...success,
		request: "r1",
		data: { task_id: "task-0", duration: 3 },
	});
	t.match(await ask("pair", {}), {
		...success,
		data: {
			address: "https://kiosk-1:7143/console/",
			code: "ABCD-EFGH",
			link: "https://kiosk-1:7143/console/#pair=ABCDEFGH",
			expires_ms: 1_700_000_000_000,
		},
	});
	const admin = { name: "Lucas", scopes: ["admin"] };
	t.match(await ask("pair", admin), success);
	t.strictSame(running.played.done, [
		"mute front true",
		"talk front true",
		"hotwords front Earshot,耳",
		"hotwords front undefined",
		"hotwords front a,b",
		"reload",
		"restart live",
		"restart batch",
		`transcribe ${JSON.stringify(file)}`,
		"pair console asr,hotwords,files,status",
		"pair Lucas admin",
	]);
});

t.test(
	"replies to a command without a response topic are published under replies",
	{ skip },
	async (t) => {
		const { listener, running } = await open(t);
		await listener.publish(`${base}/cmd/pair`, { request: "16" });
		const refused = await listener.until((it) => it.text.includes('"16"'));
		t.match(JSON.parse(refused.text), { status: "200001", data: null });
		t.strictSame(running.played.done, [], "a code is not for everybody");
		await listener.publish(`${base}/cmd/mute`, {
			microphone: "front",
			muted: true,
			request: "17",
		});
		const message = await listener.until((it) => it.text.includes('"17"'));
		t.equal(message.topic, `${base}/replies`);
		t.match(JSON.parse(message.text), { request: "17", status: "000000" });
	},
);

t.test("every fault of a command is reported", { skip }, async (t) => {
	const { running, ask } = await open(t, {
		commands: ["mute", "transcribe", "pair", "hotwords", "restart-engine"],
	});
	const cases: [string, unknown, string, RegExp][] = [
		["dance", {}, "100001", /unknown command; known: mute, transcribe, pair/],
		["", {}, "100001", /unknown command/],
		["mute/more", {}, "100001", /unknown/],
		["x".repeat(1000), {}, "100001", /unknown/],
		["reload", {}, "110003", /not allowed here/],
		["mute", "no json", "200003", /must be JSON/],
		["mute", Buffer.from([0xff, 0xfe, 0]), "200003", /must be JSON/],
		["mute", "[]", "200003", /must be a JSON object/],
		["mute", "null", "200003", /must be a JSON object/],
		["mute", "[".repeat(9000), "200003", /nested deeper than 100 levels/],
		["mute", {}, "200001", /microphone is required/],
		["mute", { microphone: "front" }, "200001", /muted is required/],
		["mute", { microphone: 7, muted: true }, "200002", /microphone must be/],
		["mute", { microphone: "front", muted: "yes" }, "200002", /true or false/],
		["mute", { microphone: "cellar", muted: true }, "200002", /no microphone/],
		["mute", { microphone: "front", x: "y".repeat(70_000) }, "200004", /bytes/],
		["transcribe", { lang_type: "en" }, "200001", /file_url is required/],
		["pair", { scopes: ["root"] }, "200002", /scopes must be a list of asr, /],
		["pair", { scopes: [] }, "200002", /scopes/],
		["pair", { name: "a\nb" }, "200002", /control characters/],
		["restart-engine", { lane: "all" }, "200002", /must be one of live, batch/],
		[
			"hotwords",
			{ microphone: "front", words: [""] },
			"200002",
			/words must be a list of at most 100 texts of 1 to 100 characters/,
		],
	];
	for (const [name, message, status, expected] of cases) {
		const reply = await ask(name, message);
		t.match(reply, { schema: 1, status, message: expected, data: null }, name);
	}
	t.strictSame(running.played.done, []);
	t.match(running.fleet.stats.commands, { done: 0, failed: cases.length });
	t.match(await ask("mute", { microphone: "front", muted: true }), {
		status: "000000",
	});
});

t.test(
	"retained messages on command topics have no effect",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const retained = { retain: true };
		const mute = { microphone: "front", muted: true };
		await listener.publish(`${base}/cmd/mute`, mute, retained);
		await listener.publish(`${base}/cmd/reload`, "{{{", retained);
		await listener.publish(`${base}/cmd/restart-engine`, "", retained);
		const running = await RunningFleet.during(t, {
			url: broker.url,
			commands: [...fleetCommands],
		});
		await listener.until((it) => it.text.includes('"online"'));
		await listener.publish(`${base}/cmd/talk`, {
			microphone: "front",
			talking: true,
		});
		await listener.until((it) => it.topic.endsWith("/replies"));
		t.strictSame(running.played.done, ["talk front true"]);
		// a message published as retained while we are subscribed arrives as a new one
	},
);

t.test(
	"a command with a forbidden response topic is not executed",
	{ skip },
	async (t) => {
		const { broker, listener, running, ask } = await open(t);
		const all = await Listener.during(t, broker.url, ["#"]);
		const refused = [
			`${base}/cmd/reload`,
			"earshot/hq/kiosk-2/cmd/restart-engine",
			"elsewhere/cmd/x",
			"earshot/hq/kiosk-2/jobs",
			"hq/jobs",
			"homeassistant/switch/x/y/config",
			"earshot/hq/kiosk-2/status",
			"earshot/hq/kiosk-2/events/final",
			`${base}/tasks/1`,
			"$SYS/broker",
			"$share/x/y",
			"x".repeat(2000),
			"a/".repeat(40),
		];
		for (const responseTopic of refused)
			await listener.publish(`${base}/cmd/restart-engine`, "{}", {
				properties: { responseTopic },
			});
		const own = { responseTopic: `${base}/replies` };
		await listener.publish(`${base}/cmd/reload`, "{}", { properties: own });
		t.match(await ask("talk", { microphone: "front", talking: true }), {
			status: "000000",
		});
		t.strictSame(running.played.done, ["reload", "talk front true"]);
		t.match(running.fleet.stats.commands, {
			done: 2,
			failed: refused.length,
		});
		t.equal(running.fleet.stats.connections, 1);
		await all.until((it) => it.topic === "answers/me");
		await all.until((it) => it.topic === `${base}/replies`);
		const answers = all.messages
			.filter((it) => /"command":/.test(it.text))
			.map((it) => it.topic);
		t.strictSame([...new Set(answers)].sort(), [
			"answers/me",
			`${base}/replies`,
		]);
		for (const wildcard of ["a/+", "#", "a\u0000", "a\ufffe"])
			t.ok(replyTopicFault(wildcard), JSON.stringify(wildcard)); // no broker accepts it from the sender
	},
);

t.test(
	"correlation data that can't be returned is refused before anything is done",
	{ skip },
	async (t) => {
		const { listener, running } = await open(t);
		const mute = { microphone: "front", muted: true };
		for (const [bytes, request] of [
			[1024, "short"],
			[1025, "long"],
		] as const) {
			await listener.publish(
				`${base}/cmd/mute`,
				{ ...mute, request },
				{ properties: { correlationData: Buffer.alloc(bytes, 97) } },
			);
			await listener.until((it) => it.text.includes(request));
		}
		t.match(listener.json("/replies"), [
			{ request: "short", status: "000000" },
			{ request: "long", status: "200004", message: /1024 bytes, got 1025/ },
		]);
		t.strictSame(
			listener.messages
				.filter((it) => it.topic.endsWith("/replies"))
				.map((it) => it.correlation?.length),
			[1024, undefined],
		);
		t.strictSame(running.played.done, ["mute front true"]);
	},
);

t.test("a repeated request for a file gets one task", { skip }, async (t) => {
	const { broker, listener, running } = await open(t);
	const file = {
		file_url: "http://nas/a.wav",
		lang_type: "en-US",
		format: "wav",
	};
	const other = { ...file, file_url: "http://nas/b.wav" };
	const requests = () => running.played.done.length;
	/** @returns the replies. */
	const ask = async (
		messages: readonly object[],
		properties: { responseTopic?: string; correlationData?: Buffer } = {},
	) => {
		const { responseTopic = `${base}/replies` } = properties;
		const answers = () =>
			listener.messages.filter((it) => it.topic === responseTopic);
		const before = answers().length;
		for (const message of messages)
			await listener.publish(`${base}/cmd/transcribe`, message, { properties });
		await listener.until(() => answers().length === before + messages.length);
		return answers()
			.slice(before)
			.map((it) => JSON.parse(it.text));
	};
	const task = (id: string, repeated?: true) => ({
		status: "000000",
		data: { task_id: id, duration: 3, ...(repeated && { repeated }) },
	});

	let arrive: () => void = () => {};
	running.played.fetching = new Promise((resolve) => {
		arrive = resolve;
	});
	const named = { ...file, request: "r1" };
	const both = ask([named, named]);
	await running.until(() => requests() === 1);
	arrive();
	const repeatedLast = (await both).sort(
		(one, other) =>
			Number(one.data.repeated ?? 0) - Number(other.data.repeated ?? 0),
	);
	t.match(
		repeatedLast,
		[task("task-0"), task("task-0", true)],
		"while it is fetched",
	);
	t.match(await ask([named]), [task("task-0", true)], "and afterwards");
	t.equal(requests(), 1);

	t.match(await ask([{ ...other, request: "r1" }]), [
		{ status: "200002", message: /request must be unique .* task task-0$/ },
	]);
	t.match(await ask([{ ...file, request: "r2" }]), [task("task-1")]);
	const elsewhere = { responseTopic: "answers/you" };
	t.match(await ask([named], elsewhere), [task("task-2")], "somebody else");

	const correlationData = Buffer.from("always the same");
	const mine = { responseTopic: "answers/me", correlationData };
	// one after the other: concurrent commands are answered in any order
	t.match(await ask([file], mine), [task("task-3")]);
	t.match(await ask([other], mine), [task("task-4")]);
	t.match(await ask([file], mine), [task("task-3", true)]);
	const plain = [await ask([file]), await ask([file])];
	t.match(
		plain,
		[[task("task-5")], [task("task-6")]],
		"two without a name are two",
	);

	await t.test("a reply is sent after a reconnection, too", async (t) => {
		const gate = await Gate.start(broker.port);
		t.teardown(() => gate.close());
		const behind = await RunningFleet.during(t, {
			url: gate.url,
			device: "slow",
			commands: ["transcribe"],
		});
		await behind.until(() => behind.fleet.link.is === "up");
		behind.played.fetching = new Promise((resolve) => {
			arrive = resolve;
		});
		const properties = { responseTopic: "answers/late" };
		const cmd = "earshot/hq/slow/cmd/transcribe";
		await listener.publish(cmd, { ...file, request: "r9" }, { properties });
		await behind.until(() => behind.played.done.length === 1);
		gate.shut();
		await behind.until(() => behind.fleet.link.is === "down");
		arrive();
		await behind.until(() => behind.fleet.stats.commands.done === 1);
		gate.isOpen = true;
		const reply = await listener.until((it) => it.topic === "answers/late");
		t.match(JSON.parse(reply.text), task("task-0"));
	});

	await t.test("a redelivery by the broker is not a new request", async (t) => {
		const gate = await Gate.start(broker.port);
		t.teardown(() => gate.close());
		gate.redelivers = "again.wav";
		const behind = await RunningFleet.during(t, {
			url: gate.url,
			device: "behind",
			commands: ["transcribe"],
		});
		await behind.until(() => behind.fleet.link.is === "up");
		const again = { ...file, file_url: "http://nas/again.wav" };
		const cmd = "earshot/hq/behind/cmd/transcribe";
		const properties = { responseTopic: "answers/twice" };
		await listener.publish(cmd, again, { properties });
		const answers = () => listener.json("answers/twice");
		await listener.until(() => answers().length === 2);
		const data = answers().map((it) => it.data as Record<string, unknown>);
		t.strictSame(new Set(data.map((it) => it.task_id)), new Set(["task-0"]));
		t.equal(data.filter((it) => it.repeated).length, 1);
		t.equal(behind.played.done.length, 1);
	});
});

t.test(
	"ten thousand commands a second are dropped, counted, and harmless",
	{ skip },
	async (t) => {
		const { listener, running } = await open(t, { commands_per_second: 5 });
		const many = 10_000;
		const sinceMs = performance.now();
		for (let i = 0; i < many; i++) {
			const name = i % 3 === 0 ? "mute" : `x${i}`;
			void listener.publish(`${base}/cmd/${name}`, i % 2 ? "{" : "{}", {
				qos: 0,
			});
			if (i % 500 === 0) await pause(0);
		}
		const { commands } = running.fleet.stats;
		t.comment(
			`sent in ${Math.round(performance.now() - sinceMs)} ms`,
			commands,
		);
		running.played.emitText("still here");
		await running.until(() => running.fleet.stats.outbox.delivered === 1);
		await running.until(() => {
			const { done, failed, dropped } = running.fleet.stats.commands;
			return done + failed + dropped >= many / 10;
		});
		const after = running.fleet.stats.commands;
		t.equal(after.done, 0);
		const seconds = (performance.now() - sinceMs) / 1000;
		// five a second, and ten at once
		t.ok(after.failed <= 15 + 5 * seconds, `${after.failed} were looked at`);
		t.equal(running.fleet.stats.connections, 1);
		t.ok(running.logged(/too many commands/));
	},
);
