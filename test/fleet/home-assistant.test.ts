import t from "tap";
import { homeAssistantEntities } from "../../runtime/fleet/home-assistant.js";
import { Topics } from "../../runtime/fleet/topics.js";
import { Broker, brokerMissing } from "./broker.js";
import { Listener } from "./listener.js";
import { fleetConfig, RunningFleet } from "./running-fleet.js";

t.test(
	"Home Assistant finds the device, its microphones and what may be done",
	{ skip: brokerMissing },
	async (t) => {
		const broker = await Broker.start(t.testdir());
		t.teardown(() => broker.kill());
		const running = new RunningFleet(
			fleetConfig({
				url: broker.url,
				home_assistant: true,
				commands: ["mute"],
			}),
		);
		t.teardown(() => running.dispose());
		running.played.tellState();
		await running.start();
		await running.until(() => running.fleet.link.is === "up");
		const late = await Listener.open(broker.url, ["homeassistant/#"]);
		t.teardown(() => late.close());
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
		t.notOk(late.heard.some((it) => it.topic.includes("/button/")));
		await late.publish(config.command_topic, config.payload_off);
		await running.until(() => running.played.done.includes("mute front true"));
	},
);

t.test("names that look alike stay two devices", async (t) => {
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
