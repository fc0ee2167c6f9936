/** Realtime sessions on a whole appliance: the text is that of the device's own interface (docs/realtime.md). */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { clipBytes } from "../audio/clips.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { eventually } from "../fixtures/eventually.js";
import { RealtimeClient, transcription } from "../realtime/realtime-client.js";
import { knownSecrets } from "../secrets/known-secrets.js";
import { livekitProgram } from "./livekit.js";
import { folderWithSdk } from "./node-sdk.js";
import { printedBy, pythonWithClients } from "./python-environment.js";
import { repository } from "./running-appliance.js";
import { sharedWithPorts } from "./shared-appliance.js";

const run = promisify(execFile);
const pcm = clipBytes("en-librivox-0930.wav");
const pieceBytes = 3200;

t.test("Realtime on an appliance", async (t) => {
	const { appliance: earshot, ports } = await sharedWithPorts();
	const { data } = (await (
		await earshot.recognize({ lang_type: "en-US" }, pcm)
	).json()) as { data: { result: string } };
	const { url, token } = earshot;
	const open = async (input: object) => {
		const it = await RealtimeClient.open(url, { token });
		it.update({
			format: { type: "audio/pcm", rate: 16_000 },
			transcription: { language: "en" },
			...input,
		});
		await it.receive("session.updated");
		return it;
	};
	const speak = (it: RealtimeClient, audio: Uint8Array = pcm) => {
		for (let at = 0; at < audio.length; at += pieceBytes)
			it.append(audio.subarray(at, at + pieceBytes));
	};

	await t.test("what is committed has the text of a file", async (t) => {
		const it = await open({ turn_detection: null });
		speak(it);
		it.commit();
		const { transcript, languages } = await it.completed();
		t.equal(transcript, data.result);
		t.same(languages, [{ code: "en" }]);
		speak(it);
		it.commit();
		t.equal((await it.completed(2)).transcript, data.result, "again");
		it.socket.close();
	});

	await t.test("sentences, found by voice activity", async (t) => {
		const it = await open({ turn_detection: { type: "semantic_vad" } });
		speak(it);
		it.commit();
		it.send("input_audio_buffer.clear");
		await it.receive("input_audio_buffer.cleared");
		const { types } = it;
		t.equal(types.at(-1), "input_audio_buffer.cleared", "after all texts");
		const all = it.events.filter(
			({ type }) => type === `${transcription}.completed`,
		);
		const words = (text: string) => text.toLowerCase().match(/\w+/g) ?? [];
		const text = all.map((event) => event.transcript).join(" ");
		t.same(words(text), words(data.result));
		t.ok(types.includes("input_audio_buffer.speech_started"));
		it.socket.close();
	});

	const folder = mkdtempSync(join(tmpdir(), "earshot-realtime-"));
	t.teardown(() => rmSync(folder, { recursive: true, force: true }));
	const wav = join(folder, "clip.wav");
	writeFileSync(wav, pcmWav(new Uint8Array(at24kHz(pcm).buffer), 24_000));
	const wanted = data.result;
	const baseUrl = `${url}/v1`;

	const python = await pythonWithClients("openai-requirements.txt");
	const noPython = "missing" in python && python.missing;
	const here = (text: string) =>
		text
			.replaceAll("127.0.0.1:7100", new URL(url).host)
			.replaceAll('"TOKEN"', `"${token}"`);
	await t.test(
		"OpenAI's SDK for Python, and the page's example of it",
		{ skip: noPython },
		async (t) => {
			if ("missing" in python) return;
			const script = join(repository, "test/e2e/python/realtime_openai.py");
			const [code = ""] = blocksOf("docs/clients.md", "python").filter((it) =>
				it.includes("realtime.connect"),
			);
			const example = join(folder, "example.py");
			const samples = `samples = open(${JSON.stringify(wav)}, "rb").read()[44:]\n`;
			// the example listens for as long as it is left to
			const print = "            print(event.transcript)";
			const stop = `${print}\n            break`;
			writeFileSync(example, samples + here(code).replace(print, stop));
			const [sdk = "", shown = ""] = await printedBy(
				python.python,
				[[script, baseUrl, token, wav], [example]],
				{ cwd: folder },
			);
			t.match(JSON.parse(sdk), {
				manual: { texts: [wanted], seconds: Number },
				g711: { texts: [/amiable/] },
				vad: { texts: [wanted], deltas: wanted },
				secret: "ek_",
			});
			t.ok(wanted.startsWith(shown.trim()) && shown.trim() !== "", shown);
		},
	);

	await t.test("the page's command for a client secret", async (t) => {
		const [curl = ""] = blocksOf("docs/realtime.md", "sh");
		const answer = await run("bash", ["-c", here(curl)], {
			env: { ...process.env, TOKEN: token },
		});
		const { value } = JSON.parse(answer.stdout);
		knownSecrets.add("a client secret", value);
		t.match(value, /^ek_/);
	});

	const sdk = await folderWithSdk();
	const noSdk = sdk === "" && "no npm package openai";
	await t.test("OpenAI's SDK for Node", { skip: noSdk }, async (t) => {
		const script = join(sdk, "realtime.mjs");
		writeFileSync(script, nodeScript);
		const ca = join(folder, "ca.crt");
		writeFileSync(ca, await (await fetch(`${url}/ca.crt`)).text());
		const { stdout } = await run(
			process.execPath,
			[
				...["--experimental-websocket", script],
				...[`https://localhost:${ports.tls}/v1`, token, wav],
			],
			{ env: { ...process.env, NODE_EXTRA_CA_CERTS: ca } },
		);
		t.match(JSON.parse(stdout), { protocol: "realtime", texts: [wanted] });
	});

	const livekit = await livekitProgram();
	const noLivekit =
		!livekit &&
		"no npm package of LiveKit: EARSHOT_TEST_FRAMEWORKS=1 installs it (300 MB)";
	await t.test("LiveKit's plugin for Node", { skip: noLivekit }, async (t) => {
		const { stdout } = await run(process.execPath, [
			livekit ?? "",
			baseUrl,
			token,
			wav,
		]);
		t.same(JSON.parse(stdout), { file: wanted, live: wanted });
	});

	const frameworks = await pythonWithClients("agents-requirements.txt", {
		variable: "EARSHOT_TEST_FRAMEWORKS",
		size: "800 MB",
	});
	const noFrameworks = "missing" in frameworks && frameworks.missing;
	for (const which of ["agents", "livekit", "pipecat"])
		await t.test(
			`${which}, as others use it`,
			{ skip: noFrameworks },
			async (t) => {
				if ("missing" in frameworks) return;
				const script = join(repository, "test/e2e/python/realtime_agents.py");
				const { stdout } = await run(frameworks.python, [
					script,
					baseUrl,
					token,
					wav,
					which,
				]);
				t.same(JSON.parse(stdout).texts, [wanted]);
			},
		);

	await t.test(
		"an engine dies: its item fails, the next does not",
		async (t) => {
			const it = await open({ turn_detection: null });
			it.append(pcm.subarray(0, 32_000));
			await eventually("the slot to be taken", async () => {
				const busy = await earshot.metric(
					'earshot_lane_slots_busy{lane="live"}',
				);
				return busy === 1;
			});
			const { stdout } = await run("pgrep", [
				...["-P", String(earshot.process.pid), "-f", "engine --lane live"],
			]);
			process.kill(Number(stdout.trim().split("\n")[0]), "SIGKILL");
			it.commit();
			const failed = await it.receive(`${transcription}.failed`);
			t.match(failed.error, { type: "server_error" });
			await earshot.untilHealthy();
			speak(it);
			it.commit();
			t.equal((await it.completed()).transcript, data.result);
			t.notOk(it.types.includes("error"));
			it.socket.close();
		},
	);

	await t.test("figures", async (t) => {
		const ended =
			'earshot_endpoint_requests_total{endpoint="realtime",status="000000"}';
		t.ok((await earshot.metric(ended)) >= 3);
		const open = 'earshot_endpoint_open{endpoint="realtime"}';
		await eventually(
			"the end of the last session, whose socket was just closed",
			async () => (await earshot.metric(open)) === 0,
		);
	});
});

function blocksOf(page: string, language: string): string[] {
	const text = readFileSync(join(repository, page), "utf8");
	const blocks = text.matchAll(
		new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"),
	);
	return [...blocks].map(([, code = ""]) => code);
}

/** As programs made for OpenAI send it: 24 kHz */
function at24kHz(samples: Uint8Array): Int16Array {
	const given = new Int16Array(samples.slice().buffer);
	const count = Math.floor(given.length * 1.5);
	return Int16Array.from({ length: count }, (_, at) => {
		const from = Math.floor(at / 1.5);
		const [a = 0, b = a] = [given[from], given[from + 1]];
		return a + (b - a) * (at / 1.5 - from);
	});
}

const nodeScript = `import { readFileSync } from "node:fs";
import OpenAI from "openai";
import { OpenAIRealtimeWebSocket } from "openai/realtime/websocket";
const [baseURL, apiKey, clip] = process.argv.slice(2);
const server = new OpenAI({ baseURL, apiKey });
const secret = await server.realtime.clientSecrets.create({ session: { type: "transcription" } });
const client = new OpenAI({ baseURL, apiKey: secret.value });
const it = new OpenAIRealtimeWebSocket({ intent: "transcription" }, client);
const texts = [];
it.on("error", (error) => { console.error(error); process.exit(1); });
it.on("session.created", () => {
	it.send({ type: "session.update", session: { type: "transcription", audio: { input: { transcription: { model: "gpt-4o-transcribe", language: "en" }, turn_detection: null } } } });
	const pcm = readFileSync(clip).subarray(44);
	for (let at = 0; at < pcm.length; at += 9600)
		it.send({ type: "input_audio_buffer.append", audio: pcm.subarray(at, at + 9600).toString("base64") });
	it.send({ type: "input_audio_buffer.commit" });
});
it.on("conversation.item.input_audio_transcription.completed", ({ transcript }) => {
	texts.push(transcript);
	console.log(JSON.stringify({ texts, protocol: it.socket.protocol }));
	it.close();
});
`;
