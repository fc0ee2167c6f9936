import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv } from "ajv";
import t from "tap";
import {
	asyncApiDocument,
	fleetChannels,
} from "../../runtime/fleet/asyncapi.js";
import { repository } from "../e2e/running-appliance.js";
import { Broker, brokerMissing } from "./broker.js";
import { Listener } from "./listener.js";
import { RunningFleet } from "./running-fleet.js";

const require = createRequire(import.meta.url);

t.test(
	"docs/fleet.asyncapi.json is generated from the schemas, and valid AsyncAPI 3",
	async (t) => {
		const file = join(repository, "docs/fleet.asyncapi.json");
		const written = JSON.parse(readFileSync(file, "utf8"));
		t.strictSame(written, asyncApiDocument(), "earshot config docs --asyncapi");
		const schema = require("@asyncapi/specs/schemas/3.0.0.json");
		const ajv = new Ajv({
			strict: false,
			validateFormats: false,
			meta: false, // it brings its own
			validateSchema: false,
		});
		const validate = ajv.compile(schema);
		t.ok(validate(written), JSON.stringify(validate.errors?.slice(0, 3)));
		t.notOk(
			validate({ ...written, channels: { x: { address: 7 } } }),
			"it can fail",
		);
	},
);

t.test("what a command may leave out is not required of it", async (t) => {
	const { components } = asyncApiDocument() as {
		readonly components: {
			readonly messages: Readonly<Record<string, { payload: object }>>;
		};
	};
	const ajv = new Ajv({ strict: false });
	const fits = (name: string, command: object) =>
		ajv.validate(components.messages[`cmd-${name}`]?.payload ?? {}, command);
	t.ok(fits("pair", {}), "a name and scopes");
	t.ok(fits("restart-engine", {}), "the lane");
	t.notOk(fits("mute", {}), "the microphone is required");
	const file = { file_url: "http://nas/a.wav", lang_type: "en" };
	t.notOk(fits("transcribe", file), "the format is required, as of an upload");
	t.ok(fits("transcribe", { ...file, format: "wav" }));
});

t.test(
	"a device's messages match the document",
	{ skip: brokerMissing },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, ["#"]);
		const running = await RunningFleet.start({
			url: broker.url,
			partials: true,
			report_seconds: 1,
			commands: ["mute"],
		});
		await running.until(() => running.fleet.link.is === "up");
		running.played.emitState();
		running.played.call("小智小智");
		running.played.emitText("so f", "front", "partial");
		running.played.emitText("so far");
		running.played.emitCallText("もし", "partial");
		running.played.emitCallText("もしもし");
		const time = { insertSeconds: 1, processSeconds: 2, finishSeconds: 3 };
		const task = {
			owner: "token:me" as const,
			fileName: "a.wav",
			audioMs: 10,
			progress: 100,
			notes: [],
			...time,
		};
		await running.finish({ id: "good", state: "completed", ...task });
		await running.finish({
			id: "bad",
			state: "failed",
			...task,
			failure: { status: "200006", message: "no audio" },
		});
		await listener.publish("earshot/hq/kiosk-1/cmd/mute", {
			microphone: "front",
			muted: true,
		});
		await listener.publish("earshot/hq/kiosk-1/cmd/dance", {});
		await listener.until((it) => it.topic.endsWith("metrics"));
		await running.until(
			() =>
				listener.json("/replies").length === 2 &&
				listener.messages.some((it) => it.topic.endsWith("tasks/bad")),
		);
		await running.dispose();
		await listener.until((it) => it.text.includes("offline"));
		const ajv = new Ajv({ strict: false });
		const seen = new Set<string>();
		for (const { topic, text } of listener.messages) {
			if (topic.endsWith("/dance")) continue; // only used by the test
			const found = Object.entries(fleetChannels()).find(([, { address }]) =>
				new RegExp(`^${address.replace(/\{\w+\}/g, "[^/]+")}$`).test(topic),
			);
			if (!found) {
				t.fail(`${topic} is not described`);
				continue;
			}
			const [name, { payload }] = found;
			seen.add(name);
			const validate = ajv.compile(payload);
			t.ok(
				validate(JSON.parse(text)),
				`${name}: ${JSON.stringify(validate.errors)}`,
			);
		}
		for (const name of [
			"status",
			"health",
			"metrics",
			"wake",
			"final",
			"partial",
			"task",
			"replies",
			"cmd-mute",
		])
			t.ok(seen.has(name) || name.startsWith("cmd-"), name);
	},
);
