import t from "tap";
import { RefusedTopics } from "../../runtime/fleet/broker/refused-topics.js";
import { type LogLine, listeningLog } from "../engine/fake-lane.js";
import { Broker, brokerMissing } from "./broker.js";
import { Listener } from "./listener.js";
import { RunningFleet } from "./running-fleet.js";

t.test("each topic is logged once, and only twenty of them", async (t) => {
	const lines: LogLine[] = [];
	const refused = new RefusedTopics(listeningLog((line) => lines.push(line)));
	for (const reason of ["not authorised", "quota exceeded"])
		refused.note("hq/desk/answers", reason);
	t.match(lines, [
		{ level: "warn", fields: { topic: "hq/desk/answers", reason: /not auth/ } },
	]);
	t.equal(lines.length, 1);
	for (let i = 0; i < 30; i++) refused.note(`hq/desk/${i}`, "not authorised");
	t.equal(lines.length, 20);
});

t.test(
	"what the broker refuses to take is logged, once for each topic",
	{ skip: brokerMissing },
	async (t) => {
		const denied = [
			"earshot/hq/kiosk-1/status",
			"homeassistant/#",
			"hq/desk/#",
		];
		const folder = t.testdir({
			acl: [
				"topic readwrite #",
				...denied.map((it) => `topic deny ${it}`),
				"",
			].join("\n"),
		});
		const broker = await Broker.during(t, folder, [
			"allow_anonymous true",
			`acl_file ${folder}/acl`,
		]);
		const running = await RunningFleet.during(t, {
			url: broker.url,
			commands: ["mute"],
			home_assistant: true,
			report_seconds: 1,
		});
		const refusals = (topic: RegExp) =>
			running.log.filter(
				({ level, fields, message }) =>
					level === "warn" &&
					message === "message refused by the broker" &&
					topic.test(JSON.stringify(fields)),
			);
		await running.until(() => refusals(/kiosk-1\/status.*not auth/).length > 0);
		await running.until(() => refusals(/homeassistant\/.*not auth/).length > 0);

		const listener = await Listener.during(t, broker.url, ["earshot/#"]);
		const mute = (muted: boolean, properties: { responseTopic?: string }) =>
			listener.publish(
				"earshot/hq/kiosk-1/cmd/mute",
				{ microphone: "front", muted },
				{ properties },
			);
		for (const muted of [true, false])
			await mute(muted, { responseTopic: "hq/desk/answers" });
		await mute(true, {});
		await listener.until((it) => it.topic.endsWith("/replies"));
		await running.until(() => refusals(/hq\/desk\/answers/).length > 0);
		t.equal(refusals(/hq\/desk\/answers/).length, 1);
		t.equal(refusals(/kiosk-1\/status/).length, 1);
	},
);
