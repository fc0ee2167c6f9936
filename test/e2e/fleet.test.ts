/** The fleet with everything real: `earshot serve`, its engines, and mosquitto. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import t from "tap";
import { claimedPort } from "../fixtures/claimed-port.js";
import { eventually } from "../fixtures/eventually.js";
import { Broker, brokerMissing } from "../fleet/broker.js";
import { Listener } from "../fleet/listener.js";
import { RunningAppliance, repository } from "./running-appliance.js";
import { tinyModel } from "./tiny-model.js";

const clip = join(repository, "test/clips/en-librivox-0930.wav");
const base = "earshot/hq/kiosk-1";

t.test(
	"a file that a command names is fetched, transcribed, and told",
	{ skip: brokerMissing },
	async (t) => {
		const broker = await Broker.during(t, t.testdir());
		const listener = await Listener.during(t, broker.url, [
			`${base}/#`,
			"answers/#",
		]);
		const files = createServer((_, answer) => answer.end(readFileSync(clip)));
		files.listen(0, "127.0.0.1");
		await once(files, "listening");
		t.teardown(() => files.close());
		const address = files.address();
		const port = typeof address === "object" ? address?.port : 0;
		const settings = {
			...(await tinyModel()),
			EARSHOT_FLEET_URL: broker.url,
			EARSHOT_FLEET_SITE: "hq",
			EARSHOT_FLEET_DEVICE: "kiosk-1",
			EARSHOT_FLEET_COMMANDS: "transcribe,restart-engine,mute,reload,pair",
			EARSHOT_OUTBOUND_ALLOW: `127.0.0.1`,
			EARSHOT_TLS_PORT: String(await claimedPort()),
		};
		const appliance = await RunningAppliance.start(settings);
		t.teardown(() => appliance.dispose());
		const ask = async (name: string, body: object) => {
			const request = `${name} ${listener.messages.length}`;
			await listener.publish(`${base}/cmd/${name}`, { ...body, request });
			const { text } = await listener.until(
				(it) => it.topic === `${base}/replies` && it.text.includes(request),
			);
			return JSON.parse(text);
		};
		const lang_type = "en-US";
		const file_url = `http://127.0.0.1:${port}/talk.wav`;
		const taken = await ask("transcribe", {
			file_url,
			lang_type,
			format: "wav",
			enable_words: true,
			hotwords_list: '["amiable","himself"]',
		});
		t.match(taken, { status: "000000", data: { task_id: /^\w{32}$/ } });
		const { task_id } = taken.data;
		await listener.until((it) => it.topic === `${base}/tasks/${task_id}`);
		const [task] = listener.json(`tasks/${task_id}`);
		t.match(task, { schema: 1, desc: "Completed", file_name: "talk.wav" });
		const told = ((task?.result ?? []) as { transcript: string }[])
			.map((it) => it.transcript)
			.join(" ");
		t.not(told, "");

		await listener.publish(
			`${base}/cmd/pair`,
			{ scopes: ["status"] },
			{ properties: { responseTopic: "answers/me" } },
		);
		const code = await listener.until((it) => it.topic === "answers/me");
		const { data: pairing } = JSON.parse(code.text);
		const tls = await appliance.command("tls", "show", "--json");
		const { fingerprint_sha256 } = JSON.parse(tls.stdout);
		const short = pairing.code.replace("-", "");
		const sha256 = fingerprint_sha256.replaceAll(":", "");
		t.equal(
			pairing.link,
			`${pairing.address}#pair=${short}&sha256=${sha256}`,
			"whoever scans it can tell this device from another in between",
		);
		const shown = await appliance.command("pair");
		t.match(shown.stdout.replace(/\s/g, ""), fingerprint_sha256);
		const signIn = () =>
			fetch(`${appliance.url}/v1/console/pair`, {
				method: "POST",
				body: JSON.stringify({ code: pairing.code }),
			});
		t.match(await (await signIn()).json(), { data: { scopes: ["status"] } });
		t.equal((await signIn()).status, 401, "once");

		// it is nobody's who has a token, whatever that one is called
		const { stdout } = await appliance.command(
			...["token", "create", "--name", "fleet"],
		);
		const tasksOfFleet = await fetch(`${appliance.url}/v1/asrfile/tasks`, {
			headers: { authorization: `Bearer ${stdout.trim()}` },
		});
		t.match(await tasksOfFleet.json(), { status: "000000", data: [] });

		// a listener may have it before its sender was told so
		let metrics = "";
		await eventually(
			"it to be counted",
			async () => {
				metrics = await (await fetch(`${appliance.url}/metrics`)).text();
				return /^earshot_fleet_delivered_total 1$/m.test(metrics);
			},
			{ seen: () => metrics },
		);
		t.match(metrics, /^earshot_fleet_up 1$/m);
		t.match(metrics, /^earshot_fleet_commands_total\{outcome="done"\} 2$/m);

		const own = appliance.url.replace(/^http:\/\/[^:]*/, "http://127.0.0.1");
		t.match(
			await ask("transcribe", {
				file_url: `http://169.254.169.254/x`,
				lang_type,
				format: "wav",
			}),
			{ status: "200009", message: /not allowed/ },
			"the policy of uploads",
		);
		t.match(
			await ask("transcribe", {
				file_url: `${own}/metrics`,
				lang_type,
				format: "wav",
			}),
			{
				status: /^20000[69]$/,
			},
		);
		t.match(
			await ask("transcribe", { file_url, lang_type: "xx", format: "wav" }),
			{
				status: /^20000[28]$/,
			},
		);
		t.match(await ask("mute", { microphone: "front", muted: true }), {
			status: "200002",
			message: /configured: none/,
		});
		t.match(await ask("reload", {}), { status: "000000" });
		t.match(await ask("restart-engine", {}), { status: "000000" });
		await appliance.untilHealthy();
		t.match(
			await (
				await appliance.recognize(
					{ lang_type, format: "wav" },
					readFileSync(clip),
				)
			).json(),
			{ status: "000000", data: { result: told } },
			"the text of the device's own interface",
		);
		const [status] = listener.json("/status");
		t.match(status, { state: "online", model: "tiny" });

		const again = { file_url, lang_type, format: "wav", request: "only once" };
		const responseTopic = `${base}/replies/me`;
		const askAgain = async () => {
			const before = listener.json("/replies/me").length;
			await listener.publish(`${base}/cmd/transcribe`, again, {
				properties: { responseTopic },
			});
			await listener.until(() => listener.json("/replies/me").length > before);
			return listener.json("/replies/me").at(-1);
		};
		const first = await askAgain();
		t.match(first, { status: "000000", data: { repeated: undefined } });
		t.equal(await appliance.stop("SIGKILL"), "SIGKILL");
		// else its status is still that of before when the next one has started
		await listener.until(
			() => listener.json("/status").at(-1)?.state === "offline",
		);
		const restarted = await RunningAppliance.launch(
			settings,
			appliance.stateDir,
		);
		t.teardown(() => restarted.stop());
		await listener.until(
			() => listener.json("/status").at(-1)?.state === "online",
		);
		t.match(await askAgain(), {
			...first,
			data: { ...(first?.data as object), repeated: true },
		});
		t.equal(await restarted.stop(), 0);
		await listener.until(
			() => listener.json("/status").at(-1)?.state === "offline",
		);
	},
);
