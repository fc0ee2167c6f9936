/** Wyoming and Vosk on a whole appliance: the text is that of the device's own interface, also through clients that others wrote (docs/wyoming.md, docs/vosk.md). */
import { execFile, spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { transcribe } from "../api/transcribe.js";
import { clipBytes } from "../audio/clips.js";
import { claimedPort } from "../fixtures/claimed-port.js";
import { eventually } from "../fixtures/eventually.js";
import { FakeSupervisor } from "../home-assistant/fake-supervisor.js";
import { knownSecrets } from "../secrets/known-secrets.js";
import { type Answer, VoskClient } from "../vosk/vosk-client.js";
import { pcm as format, WyomingClient } from "../wyoming/wyoming-client.js";
import { pythonWithClients } from "./python-environment.js";
import { RunningAppliance, repository } from "./running-appliance.js";

const run = promisify(execFile);
const clip = join(repository, "test/clips/en-librivox-0930.wav");
const pcm = clipBytes("en-librivox-0930.wav");

/** Whisper for another server: of the benchmarks' peers (scripts/benchmarks/peers/setup). */
const ctranslate2 =
	process.env.EARSHOT_BENCH_WHISPER_CT2 ??
	join(homedir(), ".cache/earshot-bench/whisper-base");

/** What wyoming_client.py prints. */
interface WyomingOutput {
	readonly text: string;
	readonly languages: readonly string[];
	readonly info: readonly string[];
	readonly program: readonly string[];
	readonly model: readonly string[];
}

const environment = await pythonWithClients();
const skip = "missing" in environment ? environment.missing : false;
if (skip) console.error(`skipped: ${skip}`);

t.test("listeners of an appliance", async (t) => {
	const port = await claimedPort();
	const voskPort = await claimedPort();
	const ingressPort = await claimedPort();
	const supervisor = new FakeSupervisor();
	const supervisorUrl = await supervisor.start();
	knownSecrets.add("a token", supervisor.token);
	t.teardown(() => supervisor.stop());
	const config = join(t.testdir({ "earshot.toml": "" }), "earshot.toml");
	const earshot = await RunningAppliance.launch({
		EARSHOT_WYOMING_ENABLED: "true",
		EARSHOT_WYOMING_HOST: "127.0.0.1",
		EARSHOT_WYOMING_PORT: String(port),
		EARSHOT_VOSK_ENABLED: "true",
		EARSHOT_VOSK_HOST: "127.0.0.1",
		EARSHOT_VOSK_PORT: String(voskPort),
		EARSHOT_INGRESS_ENABLED: "true",
		EARSHOT_INGRESS_HOST: "127.0.0.1",
		EARSHOT_INGRESS_PORT: String(ingressPort),
		EARSHOT_INGRESS_ALLOW: "127.0.0.1",
		EARSHOT_SUPERVISOR_DISCOVERY: "true",
		EARSHOT_SUPERVISOR_URL: supervisorUrl,
		EARSHOT_SUPERVISOR_HOST: "local-earshot",
		SUPERVISOR_TOKEN: supervisor.token,
		EARSHOT_CONFIG: config,
	});
	t.teardown(() => earshot.dispose());

	await t.test("describe is answered while the engines load", async (t) => {
		const client = await WyomingClient.open(port);
		client.send("describe");
		const { data } = await client.receive("info");
		t.match(data, { asr: [{ models: [{ languages: ["en", "ja", "zh"] }] }] });
		client.socket.destroy();
	});

	await t.test("Home Assistant is told of it, and let in", async (t) => {
		await eventually("a message", () => supervisor.messages.size === 1);
		const uri = `tcp://local-earshot:${port}`;
		t.same(
			[...supervisor.messages.values()],
			[{ service: "wyoming", config: { uri } }],
		);
		const headers = { "X-Ingress-Path": "/api/hassio_ingress/abc" };
		const lists = (at: string, init = {}) => fetch(`${at}/v1/hotwords`, init);
		const ingress = `http://127.0.0.1:${ingressPort}`;
		t.equal((await lists(ingress, { headers })).status, 200);
		t.equal((await lists(ingress)).status, 401);
		t.equal((await lists(earshot.url, { headers })).status, 401);
	});

	await earshot.untilHealthy();
	const { data } = (await (
		await earshot.recognize({ lang_type: "en-US" }, pcm)
	).json()) as { data: { result: string } };

	t.test("the same text as over HTTP, and figures in /metrics", async (t) => {
		const client = await WyomingClient.open(port);
		client.send("transcribe", { language: "en" });
		for (let at = 0; at < pcm.length; at += 2048)
			client.audio(pcm.subarray(at, at + 2048));
		client.send("audio-stop");
		const transcript = await client.receive("transcript");
		t.equal(transcript.data.text, data.result);
		t.ok(client.types.includes("voice-started"));
		t.ok(client.types.includes("voice-stopped"));
		client.socket.destroy();
		const turns =
			'earshot_endpoint_requests_total{endpoint="wyoming",status="000000"}';
		t.equal(await earshot.metric(turns), 1);
	});

	t.test("the wyoming package's own client", { skip }, async (t) => {
		if ("missing" in environment) return;
		const script = join(repository, "test/e2e/python/wyoming_client.py");
		const { stdout } = await run(environment.python, [
			script,
			String(port),
			clip,
		]);
		const output = JSON.parse(stdout) as WyomingOutput;
		t.equal(output.text, data.result);
		t.same(output.languages, ["en", "ja", "zh"]);
	});

	const heavy = { variable: "EARSHOT_TEST_FRAMEWORKS", size: "500 MB each" };
	const whisper = await pythonWithClients(
		"faster-whisper-requirements.txt",
		heavy,
	);
	const noWhisper =
		("missing" in whisper && whisper.missing) ||
		(!existsSync(join(ctranslate2, "model.bin")) &&
			`no CTranslate2 Whisper in ${ctranslate2}`);
	if (noWhisper) console.error(`skipped: ${noWhisper}`);
	t.test(
		"wyoming-faster-whisper: a client of the one can use the other",
		{ skip: noWhisper },
		async (t) => {
			if ("missing" in whisper) return;
			const peerPort = await claimedPort();
			const peer = spawn(
				whisper.python,
				[
					...["-m", "wyoming_faster_whisper", "--language", "en"],
					...["--uri", `tcp://127.0.0.1:${peerPort}`],
					...["--model", ctranslate2, "--data-dir", t.testdir()],
					...["--stt-library", "faster-whisper", "--local-files-only"],
					...["--beam-size", "1", "--cpu-threads", "1"],
				],
				{ stdio: "ignore" },
			);
			t.teardown(() => peer.kill());
			await eventually("the peer", async () =>
				(await WyomingClient.open(peerPort)).socket.destroy(),
			);
			const script = join(repository, "test/e2e/python/wyoming_client.py");
			const [theirs, ours] = await Promise.all(
				[peerPort, port].map(async (at): Promise<WyomingOutput> => {
					const { stdout } = await run(whisper.python, [
						script,
						String(at),
						clip,
					]);
					return JSON.parse(stdout);
				}),
			);
			const words = (it?: WyomingOutput) =>
				it?.text.toLowerCase().match(/\w+/g) ?? [];
			t.same(words(ours), words(theirs));
			for (const part of ["info", "program", "model"] as const)
				t.same(
					theirs?.[part].filter((it) => !ours?.[part].includes(it)),
					[],
					`${part}: nothing is missing`,
				);
		},
	);

	const assistant = await pythonWithClients(
		"home-assistant-requirements.txt",
		heavy,
	);
	const noAssistant = "missing" in assistant && assistant.missing;
	if (noAssistant) console.error(`skipped: ${noAssistant}`);
	t.test(
		"Home Assistant: set up by a user and by discovery, and a command",
		{ skip: noAssistant },
		async (t) => {
			if ("missing" in assistant) return;
			const folder = t.testdir();
			const output = join(folder, "output.json");
			const script = "test/e2e/python/home_assistant.py";
			await run(
				assistant.python,
				[
					...["-m", "pytest", "-q", "-p", "no:cacheprovider"],
					...["--asyncio-mode=auto", `--rootdir=${folder}`],
					join(repository, script),
				],
				{
					cwd: folder,
					env: {
						...process.env,
						EARSHOT_PORT: String(port),
						EARSHOT_CLIP: clip,
						EARSHOT_OUTPUT: output,
						PYTHONDONTWRITEBYTECODE: "1",
					},
				},
			);
			t.same(JSON.parse(readFileSync(output, "utf8")), {
				nobody: { base: "cannot_connect" },
				title: "earshot",
				state: "loaded",
				languages: ["en", "ja", "zh"],
				command: ["success", data.result],
				silence: ["success", ""],
				discovery: ["form", "zeroconf_confirm", { name: "earshot" }],
			});
		},
	);

	const bridged = await pythonWithClients("wyoming-openai-requirements.txt");
	const noBridge = "missing" in bridged ? bridged.missing : false;
	if (noBridge) console.error(`skipped: ${noBridge}`);
	t.test(
		"wyoming-openai as a bridge from Wyoming to /v1/audio",
		{ skip: noBridge },
		async (t) => {
			if ("missing" in bridged) return;
			const bridgePort = await claimedPort();
			const bridge = spawn(
				bridged.python,
				[
					...["-m", "wyoming_openai", "--languages", "en"],
					...["--uri", `tcp://127.0.0.1:${bridgePort}`],
					...["--stt-openai-url", `${earshot.url}/v1`],
					...["--stt-openai-key", earshot.token],
					...["--stt-models", "whisper-1"],
				],
				{ stdio: "ignore" },
			);
			t.teardown(() => bridge.kill());
			const client = await eventually("the bridge", () =>
				WyomingClient.open(bridgePort),
			);
			client.send("transcribe", { language: "en", name: "whisper-1" });
			client.send("audio-start", format);
			for (let at = 0; at < pcm.length; at += 2048)
				client.audio(pcm.subarray(at, at + 2048));
			client.send("audio-stop");
			const transcript = await client.receive("transcript");
			t.equal(transcript.data.text, data.result);
			client.socket.destroy();
		},
	);

	t.test("Vosk: the same text as over HTTP", async (t) => {
		const client = await VoskClient.open(voskPort);
		client.configure({ sample_rate: 16_000 });
		const answers: Answer[] = [];
		for (let at = 0; at < pcm.length; at += 6400)
			answers.push(await client.ask(pcm.subarray(at, at + 6400)));
		answers.push(await client.eof());
		t.match(await client.closed, { code: 1000 });
		t.equal(client.answers.length, answers.length);
		t.equal(textOf(answers), data.result);
		const words = answers.flatMap(({ result = [] }) => result);
		t.equal(words.length, data.result.split(" ").length);
		for (const [i, { start, end, conf }] of words.entries())
			t.ok(start >= (words[i - 1]?.start ?? 0) && end > start && conf > 0);
	});

	t.test(
		"Vosk: the program of docs/clients.md, written with websockets",
		{ skip },
		async (t) => {
			if ("missing" in environment) return;
			const page = readFileSync(join(repository, "docs/clients.md"), "utf8");
			const [, program = ""] =
				/## Vosk's clients.*?```python\n(.*?)```/s.exec(page) ?? [];
			const cwd = t.testdir();
			copyFileSync(clip, join(cwd, "clip.wav"));
			const here = program.replace("2700", String(voskPort));
			const { stdout } = await run(environment.python, ["-c", here], { cwd });
			const answers = stdout.trim().split("\n");
			t.equal(
				textOf(answers.map((it) => JSON.parse(it) as Answer)),
				data.result,
			);
		},
	);

	t.test("the lists of endpoints.* reach who can name none", async (t) => {
		const [, first = ""] = /(\w+)/.exec(data.result) ?? [];
		const made = await fetch(`${earshot.url}/v1/correction-words`, {
			method: "POST",
			headers: { Authorization: `Bearer ${earshot.token}` },
			body: JSON.stringify({
				id: "spelling",
				lang_type: "en-US",
				words: [`${first},Earshot`],
			}),
		});
		t.match(await made.json(), { status: "000000" });
		const section = '[endpoints]\ncorrection_words_id = "spelling"\n';
		writeFileSync(config, section);
		earshot.process.kill("SIGHUP");
		await eventually("the reload", () =>
			earshot.log.some((it) => it.includes("configuration reloaded")),
		);
		const corrected = data.result.replaceAll(first, "Earshot");
		t.not(corrected, data.result);

		const wyoming = await WyomingClient.open(port);
		wyoming.send("transcribe", { language: "en" });
		wyoming.audio(pcm);
		wyoming.send("audio-stop");
		const transcript = await wyoming.receive("transcript");
		t.equal(transcript.data.text, corrected);
		wyoming.socket.destroy();

		const vosk = await VoskClient.open(voskPort);
		vosk.configure({ sample_rate: 16_000 });
		const answers = [await vosk.ask(pcm), await vosk.eof()];
		t.equal(textOf(answers), corrected);

		const { url, token } = earshot;
		const openAi = await transcribe({ url, token }, readFileSync(clip), {
			language: "en",
		});
		t.match(await openAi.json(), { text: corrected });
		const own = await earshot.recognize({ lang_type: "en-US" }, pcm);
		t.match(await own.json(), { data: { result: data.result } });
	});
});

function textOf(answers: readonly Answer[]): string {
	return answers.flatMap(({ text }) => text || []).join(" ");
}
