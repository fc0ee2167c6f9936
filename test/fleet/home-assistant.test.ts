import t from "tap";
import { homeAssistantEntities } from "../../runtime/fleet/home-assistant.js";
import type { FleetConfig } from "../../runtime/fleet/settings.js";
import { Topics } from "../../runtime/fleet/topics.js";
import { Broker, brokerMissing } from "./broker.js";
import { Listener } from "./listener.js";
import { fleetConfig, RunningFleet } from "./running-fleet.js";

t.test(
	"Home Assistant finds the device, its microphones and the allowed commands",
	{ skip: brokerMissing },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const running = new RunningFleet(
			fleetConfig({
				url: broker.url,
				home_assistant: true,
				commands: ["mute"],
			}),
		);
		t.teardown(() => running.dispose());
		running.played.emitState();
		await running.start();
		await running.until(() => running.fleet.link.is === "up");
		const late = await Listener.during(t, broker.url, ["homeassistant/#"]);
		const found = await late.until((it) => it.topic.includes("/switch/"));
		t.ok(found.retained, "still there for who comes later");
		t.match(
			found.topic,
			/^homeassistant\/switch\/[\w-]+\/listens_front\/config$/,
		);
		const config = JSON.parse(found.text);
		t.match(config, {
			availability_topic: "earshot/hq/kiosk-1/status",
			command_topic: "earshot/hq/kiosk-1/cmd/mute",
			device: { name: "kiosk-1 (hq)", sw_version: "1.2.3" },
		});
		t.notOk(late.messages.some((it) => it.topic.includes("/button/")));
		await late.publish(config.command_topic, config.payload_off);
		await running.until(() => running.played.done.includes("mute front true"));
		const waiting = await late.until((it) =>
			it.topic.includes("/files_waiting/"),
		);
		t.match(
			JSON.parse(waiting.text).value_template,
			/load \| default\(\{\}\)\)\.files_waiting/,
			"offline has no load, and Jinja fails at a field of what is missing",
		);
	},
);

t.test(
	"announcements that are outdated are removed, and only those",
	{ skip: brokerMissing },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const end = "homeassistant/end";
		const other = await Listener.during(t, broker.url, []);
		const foreign = "homeassistant/sensor/somebody_else/problem/config";
		await other.publish(foreign, "{}", { retain: true });
		const announced = async (settings: Partial<FleetConfig>) => {
			const running = await RunningFleet.start({
				url: broker.url,
				...settings,
			});
			await running.until(() => running.fleet.link.is === "up");
			running.played.emitText("the last that is said");
			await running.until(() => running.fleet.stats.outbox.delivered === 1);
			await running.dispose();
			const late = await Listener.open(broker.url, ["homeassistant/#"]);
			// it arrives after all retained messages, whatever their order
			await late.publish(end, "");
			await late.until((it) => it.topic === end);
			await late.close();
			return late.messages
				.filter(({ topic }) => topic !== end)
				.map(({ topic }) => topic.split("/").slice(-2, -1).join())
				.sort();
		};
		const all = { home_assistant: true, commands: ["restart-engine" as const] };
		t.strictSame(await announced(all), [
			"files_waiting",
			"problem",
			"problem",
			"restart_engine",
		]);
		t.strictSame(
			await announced({ home_assistant: true }),
			["files_waiting", "problem", "problem"],
			"the command is not allowed any more",
		);
		t.strictSame(await announced({}), ["problem"], "switched off");
	},
);

t.test("names that look alike remain two devices", async (t) => {
	const nodes = ["a b", "a_b", "a.b", "東"].map((device) => {
		const topics = new Topics("hq", device);
		const about = { site: "hq", device, topics, version: "1" };
		const [entity] = homeAssistantEntities(about, [], []);
		t.match(
			entity?.topic,
			/^homeassistant\/[a-z_]+\/[A-Za-z0-9_-]+\/\w+\/config$/,
		);
		return entity?.topic;
	});
	t.equal(new Set(nodes).size, nodes.length);
});
