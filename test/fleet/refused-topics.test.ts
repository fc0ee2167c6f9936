import t from "tap";
import { Broker, brokerMissing } from "./broker.js";
import { Listener } from "./listener.js";
import { RunningFleet } from "./running-fleet.js";

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
