import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import t from "tap";
import { ownClipFolder, readClip } from "../audio/clips.js";
import { modelDir, skipped } from "../engine/real-lane.js";
import {
	alsaMissing,
	fakeCard,
	interleaved,
	writers,
} from "../microphones/alsa.js";

const main = fileURLToPath(new URL("../../runtime/main.js", import.meta.url));

t.test(
	"without an appliance, a microphone still works",
	{ skip: alsaMissing || skipped },
	async (t) => {
		const clip = await readClip("en-librivox-0930.wav", ownClipFolder);
		const voice = new Float32Array(clip.length + 3 * 16_000);
		voice.set(clip, 8000);
		const child = spawn(
			process.execPath,
			[
				...[main, "--set", "server.port=1"], // nothing listens there
				...["listen", "--device", "mic"],
			],
			{
				env: {
					...process.env,
					EARSHOT_MODEL_DIR: modelDir,
					...fakeCard(t.testdir(), interleaved([voice], writers.S16_LE, 2)),
				},
			},
		);
		let out = "";
		let err = "";
		child.stdout.on("data", (data) => {
			out += data;
			child.kill("SIGINT");
		});
		child.stderr.on("data", (data) => {
			err += data;
		});
		const code = await new Promise((done) => child.on("close", done));
		t.equal(code, 0);
		t.match(out, /amiable himself.*\n$/i);
		t.match(err, /^earshot: no appliance runs at [^\n]*\n$/);
	},
);
