/** `config/mosquitto-example.conf`, as used on a site: only its port and its folders are changed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { installRoot } from "../../runtime/config/install-root.js";
import { Broker, brokerMissing, makeCertificates } from "./broker.js";
import { Listener } from "./listener.js";
import { RunningFleet } from "./running-fleet.js";

const example = join(installRoot, "config", "mosquitto-example.conf");

/** The lines of the example that define permissions, without the leading `#`. */
function rulesOf(text: string): string {
	const [, rules = ""] = text.split(
		/^# \/etc\/mosquitto\/earshot\.acl.*\n#\n/m,
	);
	return rules.replace(/^# {0,3}/gm, "");
}

t.test(
	"the example restricts each device to its topics",
	{ skip: brokerMissing },
	async (t) => {
		const folder = t.testdir();
		const names = ["kiosk-1", "kiosk-2", "dashboard"] as const;
		const { ca, server, devices } = makeCertificates(folder, names);
		const text = readFileSync(example, "utf8");
		writeFileSync(join(folder, "acl"), rulesOf(text));
		const settings = text
			.replace(/^listener .*\n/m, "")
			.replace(/^persistence.*\n/gm, "")
			.replace("/etc/mosquitto/certs/site-ca.crt", ca)
			.replace("/etc/mosquitto/certs/broker.crt", server.cert)
			.replace("/etc/mosquitto/certs/broker.key", server.key)
			.replace("/etc/mosquitto/earshot.acl", join(folder, "acl"));
		t.notMatch(settings, /^[^#]*\/etc\//m, "all of it is the test's");
		const broker = await Broker.during(t, folder, settings.split("\n"));
		const url = `mqtts://127.0.0.1:${broker.port}`;
		const as = (name: (typeof names)[number]) => ({
			ca: readFileSync(ca),
			cert: readFileSync(devices[name].cert),
			key: readFileSync(devices[name].key),
		});
		const running = await RunningFleet.during(t, {
			url,
			ca_file: ca,
			device: "kiosk-1",
			commands: ["mute"],
			cert_file: devices["kiosk-1"].cert,
			key_file: devices["kiosk-1"].key,
			home_assistant: true,
		});
		running.played.emitState();
		await running.until(() => running.fleet.link.is === "up");
		const all = ["earshot/#", "homeassistant/#", "hq/jobs"];
		const dashboard = await Listener.during(t, url, all, as("dashboard"));
		const stranger = await Listener.during(t, url, all, as("kiosk-2"));

		running.played.emitText("for the dashboard alone");
		const message = await dashboard.until((it) => it.topic.includes("final"));
		t.match(message.text, /for the dashboard alone/);
		const mute = "earshot/hq/kiosk-1/cmd/mute";
		const order = { microphone: "front", muted: true };
		await t.rejects(
			stranger.publish(mute, order),
			/[Nn]ot authorized/,
			"a device gives no other device orders",
		);
		await t.rejects(
			stranger.publish("earshot/hq/kiosk-1/status", "{}", { retain: true }),
			/[Nn]ot authorized/,
			"nor speaks in its name",
		);
		await dashboard.publish(mute, order);
		await running.until(() => running.played.done.includes("mute front true"));
		await stranger.publish("earshot/hq/kiosk-2/status", "its own");
		await dashboard.until((it) => it.text === "its own");
		await stranger.publish("earshot/hq/kiosk-1/jobs", "between devices");
		await stranger.publish("hq/jobs", "an offer");
		await stranger.until((it) => it.text === "an offer");
		t.strictSame(
			stranger.messages.filter((it) =>
				it.topic.startsWith("earshot/hq/kiosk-1"),
			),
			[],
			"and receives nothing of it",
		);
	},
);
