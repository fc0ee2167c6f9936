import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import t from "tap";
import { ownClipFolder, readClip } from "../audio/clips.js";
import { patientEngine } from "../e2e/patient-engine.js";
import { modelDir, skipped } from "../engine/real-lane.js";
import {
	alsaMissing,
	fakeCard,
	interleaved,
	writers,
} from "../microphones/alsa.js";

const main = fileURLToPath(new URL("../../runtime/main.js", import.meta.url));

const usual = {
	...patientEngine,
	EARSHOT_MODEL_DIR: modelDir,
	// two wait for each other a sixth of their time
	EARSHOT_ENGINE_THREADS: "1",
	// nobody alters the checkout's models
	EARSHOT_RECOGNITION_VERIFY_MODEL: "false",
	// what is heard so far is recognized again each time, and shown on terminals only
	EARSHOT_RECOGNITION_PARTIAL_MILLISECONDS: "5000",
};

/** The model is never loaded, so that a signal comes before it is, however late that is on a busy machine. */
const endlessLoad = {
	NODE_OPTIONS: `--import=${new URL("fixtures/endless-load.js", import.meta.url)}`,
};

/** @returns the process, in which nothing listens at the appliance's port. */
function listen(device: string, environment: Record<string, string> = {}) {
	return listenTo(["--device", device], environment);
}

function listenTo(
	given: readonly string[],
	environment: Record<string, string>,
) {
	const words = ["--set", "server.port=1", "listen", ...given];
	return spawn(process.execPath, [main, ...words], {
		env: { ...process.env, ...usual, ...environment },
	});
}

t.test(
	"without an appliance, a microphone still works",
	{ skip: alsaMissing || skipped },
	async (t) => {
		const clip = await readClip("en-librivox-0930.wav", ownClipFolder);
		const voice = new Float32Array(clip.length + 3 * 16_000);
		voice.set(clip, 8000);
		const card = interleaved([voice], writers.S16_LE, 2);
		const child = listen("mic", fakeCard(t.testdir(), card));
		let out = "";
		let err = "";
		// a second signal would not wait for what is still to come
		child.stdout.once("data", () => child.kill("SIGINT"));
		child.stdout.on("data", (data) => {
			out += data;
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

t.test(
	"stopped while its model loads, it ends without opening the microphone",
	{ skip: skipped },
	async (t) => {
		const child = listen("hw:no-such-card", endlessLoad); // opening it would be an error
		let output = "";
		child.stdout.on("data", (data) => {
			output += data;
		});
		child.stderr.on("data", (data) => {
			output += data;
			child.kill("SIGINT");
		});
		const code = await new Promise((done) => child.on("close", done));
		t.equal(code, 0);
		t.match(
			output,
			/^earshot: no appliance [^\n]*: using a local recognizer\n$/,
		);
	},
);

t.test(
	"that its word lists are the appliance's is said",
	{ skip: skipped },
	async (t) => {
		const dir = t.testdir({
			"earshot.toml": `[[microphone]]
id = "front"
device = "hw:no-such-card"
language = "en"
hotwords_id = "names"
`,
		});
		const saidWith = async (...flags: string[]) => {
			const child = listenTo(["--microphone", "front", ...flags], {
				...endlessLoad,
				EARSHOT_CONFIG: `${dir}/earshot.toml`,
			});
			let err = "";
			child.stderr.on("data", (data) => {
				err += data;
				child.kill("SIGINT");
			});
			const code = await new Promise((done) => child.on("close", done));
			t.equal(code, 0);
			return err;
		};
		t.match(
			await saidWith(),
			/: using a local recognizer, without the appliance's word lists\n$/,
		);
		t.match(
			await saidWith("--lang", "ja"),
			/: using a local recognizer\n$/,
			"those of another language are not used anyway",
		);
	},
);
