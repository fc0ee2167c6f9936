import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { Appliance } from "../../runtime/appliance.js";
import { arrayGeometry } from "../../runtime/audio/array/geometry.js";
import { loadConfig } from "../../runtime/config/load.js";
import { createLogger } from "../../runtime/log/log.js";
import type { MicrophoneEvent } from "../../runtime/microphones/microphone-events.js";
import { apart, arriving, mixed, noise } from "../audio/array/simulated.js";
import { ownClipFolder, readClip } from "../audio/clips.js";
import { patientEngine } from "../e2e/patient-engine.js";
import { modelDir, skipped } from "../engine/real-lane.js";
import { alsaMissing, fakeCard, interleaved, writers } from "./alsa.js";

const azimuthDeg = 130;

/** Process id of the engine that this process started. */
function enginePid(): number {
	const children = execFileSync("ps", [
		...["--ppid", String(process.pid), "-o", "pid=,args="],
	]).toString();
	const line = children.split("\n").find((it) => it.includes("--lane live"));
	return Number.parseInt(line ?? "", 10);
}

/** A speaker reads at 130 degrees from a ReSpeaker 4 with noise; then silence. */
async function reading(): Promise<Buffer> {
	const clip = await readClip("en-librivox-0930.wav", ownClipFolder);
	const voice = new Float32Array(clip.length + 6 * 16_000);
	voice.set(clip, 16_000);
	const geometry = arrayGeometry("respeaker-4");
	const channels = mixed(
		arriving(voice, geometry, azimuthDeg),
		geometry.map((_, m) => noise(m, voice.length, 0.002)),
	);
	return interleaved(channels, writers.S32_LE, 4);
}

t.test(
	"speech at an array is reported with its direction, also while its engine is killed",
	{ skip: alsaMissing || skipped },
	async (t) => {
		const stateDir = mkdtempSync(join(tmpdir(), "earshot-microphones-"));
		const root = t.testdir({
			config: {
				"earshot.toml": `[[microphone]]
id = "front"
device = "mic"
channels = 4
format = "S32_LE"
array = "respeaker-4"
room = "lobby"
`,
			},
		});
		Object.assign(process.env, fakeCard(root, await reading()));
		const readConfig = () =>
			loadConfig({
				environment: {
					...patientEngine,
					EARSHOT_MODEL_DIR: modelDir,
					EARSHOT_STATE_DIR: stateDir,
				},
				overrides: [
					"server.port=0",
					"tls.port=0",
					"server.host=127.0.0.1",
					"log.level=fatal",
				],
				root,
			}).values;
		const config = readConfig();
		const appliance = await Appliance.open({
			config,
			readConfig,
			log: createLogger(config.log),
			version: "0.0.0",
			onFatal: (error) => {
				throw error;
			},
		});
		t.teardown(async () => {
			await appliance.stop();
			rmSync(stateDir, { recursive: true, force: true });
		});
		const events: MicrophoneEvent[] = [];
		let check = () => {};
		appliance.microphones.onEvent((event) => {
			events.push(event);
			check();
		});
		const until = (is: (event: MicrophoneEvent) => boolean) =>
			new Promise<MicrophoneEvent>((resolve) => {
				check = () => {
					const found = events.find(is);
					if (found) resolve(found);
				};
				check();
			});
		const port = await appliance.start();
		await until((it) => it.is === "speech-begin");
		process.kill(enginePid(), "SIGKILL");
		const final = await until((it) => it.is === "final");
		if (final.is !== "final") throw new Error("no final");
		t.match(final.utterance.text.toLowerCase(), /amiable himself/);
		t.match(final.utterance.text.toLowerCase(), /might even/, "from its begin");
		t.match(final, { microphone: "front", room: "lobby", language: "en-US" });
		const { azimuthDeg: foundDeg = Number.NaN } = final.utterance;
		t.ok(apart(foundDeg, azimuthDeg) <= 10, `${foundDeg}`);
		const { beginAtMs, endAtMs } = final.utterance;
		t.ok(endAtMs - beginAtMs > 1500);
		t.ok(endAtMs < final.atMs && final.atMs - endAtMs < 600_000);
		t.equal(events.filter((it) => it.is === "speech-begin").length, 1);
		const metrics = await (
			await fetch(`http://127.0.0.1:${port}/metrics`)
		).text();
		for (const line of [
			/^earshot_microphone_state\{microphone="front",state="listening"\} 1$/m,
			/^earshot_microphone_events_total\{microphone="front",event="final"\} 1$/m,
			/^earshot_microphone_level_dbfs\{microphone="front",channel="3"\} -\d/m,
			/^earshot_microphone_overruns_total\{microphone="front"\} 0$/m,
			/^earshot_microphone_lost_seconds_total\{microphone="front"\} 0$/m,
			/^earshot_microphone_reconnects_total\{microphone="front"\} 0$/m,
		])
			t.match(metrics, line);
		t.notMatch(metrics, /drift_ppm\{/, "not known in the first minute");
		await appliance.microphones.mute("front", true);
		t.match(appliance.microphones.states.get("front"), { phase: "muted" });
		t.throws(
			() => appliance.microphones.mute("back", true),
			/configured: front/,
		);
	},
);
