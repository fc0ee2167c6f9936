import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import t from "tap";
import { ConfigError } from "../../runtime/config/config-error.js";
import { loadConfig } from "../../runtime/config/load.js";
import { fleetSettings } from "../../runtime/fleet/settings.js";
import { topicFault } from "../../runtime/fleet/topics.js";
import { claimedPort } from "../fixtures/claimed-port.js";
import { Broker, brokerMissing, makeCertificates } from "./broker.js";
import { EndingBroker } from "./ending-broker.js";
import { Gate, packetTypes, typeOf } from "./gate.js";
import { Listener } from "./listener.js";
import { PlayedSharing } from "./played-sharing.js";
import { fleetConfig, RunningFleet } from "./running-fleet.js";

const skip = brokerMissing;

function downReason({ fleet }: RunningFleet): string {
	return fleet.link.is === "down" ? fleet.link.why : "";
}

t.test(
	"ids that would break a topic are refused before anything starts",
	async (t) => {
		const root = t.testdir();
		const load = (...overrides: string[]) =>
			loadConfig({ environment: {}, overrides, root }).values;
		const bad = [
			"a/b",
			"+",
			"a#",
			"x\u0000y",
			"a\nb",
			"$SYS",
			".",
			"x".repeat(65),
			"-a b",
		];
		for (const name of ["site", "device"])
			for (const id of bad)
				t.throws(
					() => load(`fleet.${name}=${id}`),
					{
						name: "ConfigError",
						message: new RegExp(`^fleet\\.${name} .* letters, digits`),
					},
					JSON.stringify(id),
				);
		for (const id of ["kiosk-1", "東京", "Zürich_2", "a.b"])
			t.doesNotThrow(() => load(`fleet.device=${id}`), id);
		for (const url of [
			"http://x",
			"mqtt://",
			"mqtt://a b",
			"mqtt://u:p@h",
			"mqtt://h/x",
		])
			t.throws(() => load(`fleet.url=${url}`), /mqtt:\/\/HOST:PORT/, url);
		t.throws(() => load("fleet.commands=mute,dance"), /a list of reload, mute/);
	},
);

t.test("inconsistent settings are refused with the reason", async (t) => {
	const folder = t.testdir({ "rubbish.pem": "no certificate" });
	const check = (changes: Parameters<typeof fleetConfig>[0]) => () =>
		fleetSettings(fleetConfig({ url: "mqtts://h", ...changes }));
	const rubbish = `${folder}/rubbish.pem`;
	t.throws(check({ url: "mqtt://h", ca_file: rubbish }), /requires mqtts/);
	t.throws(check({ ca_file: `${folder}/none` }), /ca_file can't be read/);
	t.throws(check({ cert_file: rubbish }), /must be set together/);
	t.throws(check({ key: "k" }), /must be set together/);
	t.throws(
		check({ cert_file: rubbish, key_file: rubbish }),
		/can't be used together/,
	);
	t.throws(check({ password: "p" }), /requires fleet.user/);
	t.throws(check({ site: "" }), ConfigError);
	t.throws(check({ url: "mqtt://h:99999" }), ConfigError);
	t.equal(check({ url: "" })(), undefined);
	t.match(check({ url: "mqtts://[::1]:99" })(), {
		broker: { host: "::1", port: 99 },
	});
});

t.test("topics given by others are checked before publishing", async (t) => {
	for (const topic of [
		"",
		"a/+/b",
		"#",
		"x\u0000",
		"\ud800",
		"$SYS/x",
		"x".repeat(1025),
	])
		t.ok(topicFault(topic), JSON.stringify(topic).slice(0, 20));
	for (const topic of ["a", "a/b", "/", "東京/x y"])
		t.notOk(topicFault(topic), topic);
});

t.test("TLS with certificates on both sides", { skip }, async (t) => {
	const folder = t.testdir();
	const { ca, server, devices } = makeCertificates(folder, ["kiosk-1"]);
	const device = devices["kiosk-1"];
	const broker = await Broker.during(t, folder, [
		`cafile ${ca}`,
		`certfile ${server.cert}`,
		`keyfile ${server.key}`,
		"require_certificate true",
		"use_identity_as_username true",
		"allow_anonymous false",
	]);
	const url = `mqtts://127.0.0.1:${broker.port}`;
	const tls = { url, ca_file: ca, cert_file: device.cert };

	await t.test("accepts a client with a certificate", async (t) => {
		const key = readFileSync(device.key, "utf8");
		const running = await RunningFleet.during(t, { ...tls, key });
		await running.until(() => running.fleet.link.is === "up");
		running.played.emitText("heard over TLS");
		await running.until(() => running.fleet.stats.outbox.delivered === 1);
	});
	await t.test("a client without a certificate gets the reason", async (t) => {
		const running = await RunningFleet.during(t, { url, ca_file: ca });
		await running.until(() => downReason(running) !== "");
		t.match(downReason(running), /certificate|closed|broke/);
	});
	await t.test("a certificate is renewed without a restart", async (t) => {
		const other = `${folder}/other`;
		mkdirSync(other);
		const old = makeCertificates(other, ["kiosk-1"]).devices["kiosk-1"];
		const files = { ca_file: ca, cert_file: old.cert, key_file: old.key };
		const running = await RunningFleet.during(t, { url, ...files });
		await running.until(() => downReason(running) !== "");
		copyFileSync(device.cert, old.cert);
		copyFileSync(device.key, old.key);
		await running.until(() => running.fleet.link.is === "up");
	});
	await t.test("a broker with an unknown certificate is refused", async (t) => {
		const running = await RunningFleet.during(t, { url });
		await running.until(() => downReason(running) !== "");
		t.match(
			downReason(running),
			/certificate is not trusted \(fleet.ca_file\)/,
		);
	});
});

t.test("refused credentials are reported, and retried", { skip }, async (t) => {
	const folder = t.testdir({ passwords: "" });
	const broker = await Broker.during(t, folder, [
		"allow_anonymous false",
		`password_file ${folder}/passwords`,
	]);
	const password = "a-secret-that-is-told-nobody";
	const running = await RunningFleet.during(t, {
		url: broker.url,
		user: "me",
		password,
	});
	await running.until(() => downReason(running) !== "");
	t.match(downReason(running), /fleet\.user.*fleet\.password/);
	t.notOk(running.logged(new RegExp(password)), "and never written down");
});

t.test(
	"a broker that closes after CONNECT is retried with growing pauses",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const gate = await Gate.start(broker.port);
		t.teardown(() => gate.close());
		gate.isOpen = false;
		const running = await RunningFleet.during(t, { url: gate.url });
		running.played.emitText("patience");
		await running.until(() => gate.count >= 3);
		t.ok(gate.count < 6);
		const logged = running.log.filter((it) => /no connection/.test(it.message));
		t.equal(logged.length, 1, "said once, not at each try");
		gate.isOpen = true;
		await running.until(() => running.fleet.stats.outbox.delivered === 1);
	},
);

t.test(
	"a broker that accepts a connection and ends it at once is retried",
	async (t) => {
		const broker = await EndingBroker.start();
		t.teardown(() => broker.close());
		const running = await RunningFleet.during(t, { url: broker.url });
		await running.until(() => broker.count >= 2);
		await running.until(() => /administrative/.test(downReason(running)));
	},
);

t.test(
	"a device that may not subscribe to anything still reports",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const gate = await Gate.start(broker.port);
		t.teardown(() => gate.close());
		gate.fromBroker = (packet) => {
			const notAuthorised = 0x87;
			if (typeOf(packet) === packetTypes.suback)
				packet[packet.length - 1] = notAuthorised;
			return [packet];
		};
		const running = await RunningFleet.during(
			t,
			{ url: gate.url, share: true },
			new PlayedSharing().port,
		);
		running.played.emitText("still reported");
		await running.until(() => running.fleet.stats.outbox.delivered === 1);
		await listener.until((it) => it.text.includes("still reported"));
		t.equal(running.fleet.stats.connections, 1);
		t.ok(running.logged(/not authorised.*without commands.*access rules/));
		t.ok(running.logged(/not authorised.*without shared files.*access rules/));
	},
);

t.test(
	"a device that is stopped while it connects is offline afterwards",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const gate = await Gate.start(broker.port);
		t.teardown(() => gate.close());
		let held: Buffer[] | undefined;
		// the answer to the first subscription comes when the device has published `offline`
		gate.fromBroker = (packet) => {
			if (typeOf(packet) === packetTypes.suback && !held) {
				held = [packet];
				return [];
			}
			return [...(held?.splice(0) ?? []), packet];
		};
		const running = await RunningFleet.during(t, { url: gate.url });
		await running.until(() => held !== undefined);
		await running.stop();
		const late = await Listener.during(t, broker.url, ["earshot/#"]);
		const status = await late.until((it) => it.retained);
		t.match(JSON.parse(status.text), { state: "offline" });
	},
);

t.test("a broker that is down, or hangs, is noticed", { skip }, async (t) => {
	const nobody = await RunningFleet.during(t, {
		url: `mqtt://127.0.0.1:${await claimedPort()}`,
	});
	await nobody.until(() => /connection refused/.test(downReason(nobody)));

	const broker = await Broker.during(t, t.testdir());
	const running = await RunningFleet.during(t, {
		url: broker.url,
		keepalive_seconds: 1,
	});
	await running.until(() => running.fleet.link.is === "up");
	broker.freeze();
	running.played.emitText("into the void");
	await running.until(() => running.fleet.link.is === "down");
	t.match(running.fleet.stats.outbox, { waiting: 1, delivered: 0 });
});

t.test(
	"a stop does not wait for a broker that answers no more",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const running = await RunningFleet.during(t, {
			url: broker.url,
			keepalive_seconds: 3600, // until then nobody knows
		});
		await running.until(() => running.fleet.link.is === "up");
		broker.freeze();
		running.played.emitText("into the void");
		await running.stop();
		t.pass("stopped");
	},
);

t.test(
	"the status is retained, and the broker publishes the will",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const gate = await Gate.start(broker.port);
		t.teardown(() => gate.close());
		const running = await RunningFleet.during(t, {
			url: gate.url,
			report_seconds: 1,
		});
		await running.until(() => running.fleet.link.is === "up");
		const late = await Listener.during(t, broker.url, ["earshot/hq/kiosk-1/#"]);
		const status = await late.until((it) => it.topic.endsWith("/status"));
		t.ok(status.retained);
		t.match(JSON.parse(status.text), {
			schema: 1,
			state: "online",
			version: "1.2.3",
			model: "whisper-base",
			load: { streams: 1, streams_max: 8, files_running: 0, files_waiting: 0 },
		});
		t.notOk("update" in JSON.parse(status.text), "nothing to report");
		const why = "it did not become healthy";
		running.played.updates = {
			trial: null,
			refused: { version: "1.3.0", why, at: 1_800_000_000 },
		};
		running.played.emitState();
		const rolledBack = await late.until((it) =>
			it.text.includes(`"refused":{`),
		);
		t.match(rolledBack.topic, /status$/);
		t.same(JSON.parse(rolledBack.text).update, {
			refused: { version: "1.3.0", why, at_ms: 1_800_000_000_000 },
		});
		// one may have been in progress at the microphone's event
		const health = await late.until(
			(it) => it.topic.endsWith("/health") && it.text.includes('"front"'),
		);
		t.match(JSON.parse(health.text), {
			ok: false,
			checks: [{ code: "engine-dying", values: { seconds: 4 } }],
			microphones: { front: { phase: "listening", muted: false } },
		});
		const metrics = await late.until((it) => it.topic.endsWith("/metrics"));
		t.match(JSON.parse(metrics.text), {
			outbox: { waiting: 0 },
			connections: 1,
		});
		gate.shut();
		await late.until((it) => it.text.includes("offline"));
		late.messages.length = 0;
		gate.isOpen = true;
		await late.until((it) => it.text.includes("online"));
		await running.stop();
		const bye = await late.until((it) => it.text.includes("offline"));
		t.match(bye.topic, /status$/);
	},
);

t.test(
	"partials are published if enabled, empty sentences never",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const quiet = await RunningFleet.during(t, { url: broker.url });
		const open = await RunningFleet.during(t, {
			url: broker.url,
			device: "open",
			partials: true,
		});
		await open.until(
			() => open.fleet.link.is === "up" && quiet.fleet.link.is === "up",
		);
		for (const { played } of [quiet, open]) {
			played.emitText("so f", "front", "partial");
			played.emitText("", "front", "partial");
			played.emitText("");
			played.emitText("so far");
		}
		await open.until(() => listener.json("events/final").length === 2);
		t.strictSame(
			listener.messages
				.filter((it) => it.topic.endsWith("partial"))
				.map((it) => it.topic),
			["earshot/hq/open/events/partial"],
		);
		t.strictSame(
			listener.json("events/final").map((it) => it.text),
			["so far", "so far"],
		);
	},
);

t.test(
	"a clock that jumps only changes the times in messages",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const running = await RunningFleet.during(t, {
			url: broker.url,
			commands: ["mute"],
		});
		const now = Date.now;
		t.teardown(() => {
			Date.now = now;
		});
		const year = 365 * 86_400_000;
		for (const jump of [0, -40 * year, 60 * year, 0]) {
			Date.now = () => now() + jump;
			running.played.emitText(`jumped ${jump}`);
			await listener.until((it) => it.text.includes(`jumped ${jump}`));
			listener.messages.length = 0;
			const mute = { microphone: "front", muted: true };
			await listener.publish("earshot/hq/kiosk-1/cmd/mute", mute);
			await listener.until((it) => it.topic.endsWith("/replies"));
		}
		// the listener has it before we have the broker's acknowledgement and our disk write
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		t.match(running.fleet.stats.outbox, {
			waiting: 0,
			dead_letters: 0,
			delivered: 4,
		});
	},
);

t.test(
	"two devices with one name disconnect each other, and still lose nothing",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const one = await RunningFleet.during(t, { url: broker.url });
		await one.until(() => one.fleet.link.is === "up");
		const other = await RunningFleet.during(t, { url: broker.url });
		await one.until(() => one.fleet.link.is === "down");
		one.played.emitText("from one");
		other.played.emitText("from the other");
		await listener.until((it) => it.text.includes("from one"));
		await listener.until((it) => it.text.includes("from the other"));
		for (const it of [one, other])
			await it.until(() => it.logged(/no connection to the broker/));
	},
);

t.test(
	"devices of different sites whose names join to the same one don't meet",
	{ skip },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const { url } = broker;
		const running = [
			await RunningFleet.during(t, {
				url,
				site: "berlin",
				device: "mitte-kiosk",
			}),
			await RunningFleet.during(t, {
				url,
				site: "berlin-mitte",
				device: "kiosk",
			}),
		];
		for (const it of running) await it.until(() => it.fleet.link.is === "up");
		for (const [at, it] of running.entries()) {
			it.played.emitText(`from ${at}`);
			await listener.until(({ text }) => text.includes(`from ${at}`));
			t.equal(it.fleet.stats.connections, 1);
		}
	},
);
