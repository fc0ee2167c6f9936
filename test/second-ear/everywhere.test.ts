/** One appliance with the second ear: the text that it chooses arrives wherever Chinese is recognized. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { Appliance } from "../../runtime/appliance.js";
import { EarshotClient } from "../../runtime/client/earshot-client.js";
import { loadConfig } from "../../runtime/config/load.js";
import { createLogger } from "../../runtime/log/log.js";
import type { Word } from "../../runtime/session/events.js";
import { openStore } from "../../runtime/store/open-store.js";
import { clipBytes } from "../audio/clips.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { patientEngine } from "../e2e/patient-engine.js";
import { eventually } from "../fixtures/eventually.js";
import { alsaMissing, fakeCard } from "../microphones/alsa.js";
import { realModel } from "../published/cases.js";
import { missing, modelDirectory, sharedAudio } from "../whisper/packages.js";
import { jointModels } from "./joint-models.js";

const skip = missing(modelDirectory, sharedAudio, realModel) || alsaMissing;
const bytesPerMs = 32;

const pcmOf = (name: string) => clipBytes(`${name}.wav`, sharedAudio);
const pause = (seconds: number) => Buffer.alloc(seconds * 1000 * bytesPerMs);

/** "广州市佛地产中间协会分析" without the ear; 房 depends on what is before and behind the clip. */
const refined = /地产中介协会分析/u;

interface MicrophoneFinal {
	readonly id: string;
	readonly text: string;
	readonly words: readonly Word[];
	readonly lengthMs: number;
}

/** A word as the API writes it. */
interface ApiWord {
	readonly word: string;
	readonly start_time: number;
	readonly end_time: number;
	readonly type: string;
	readonly confidence?: number;
}

interface Timed {
	readonly text: string;
	readonly startMs: number;
	readonly endMs: number;
	readonly confidence: number;
}

const timed = ({ word, start_time, end_time, confidence }: ApiWord): Timed => ({
	text: word,
	startMs: start_time,
	endMs: end_time,
	// transcripts of files have none
	confidence: confidence ?? 1,
});

function checkWords(t: Test, words: readonly Timed[], audioMs: number): void {
	t.ok(words.length > 2, `${words.length} words`);
	const wrong = words.filter(
		({ startMs, endMs, confidence }, i) =>
			!(startMs >= (words[i - 1]?.startMs ?? 0)) ||
			!(endMs >= startMs && endMs <= audioMs) ||
			!(confidence > 0 && confidence <= 1),
	);
	t.same(wrong, [], `times within ${audioMs} ms, confidences`);
}

async function started(t: Test) {
	const stateDir = mkdtempSync(join(tmpdir(), "earshot-second-ear-"));
	const store = await openStore({ dir: stateDir, as: "visit" });
	const { token } = await store.tokens.create({
		name: "first",
		scopes: ["asr", "files"],
		nowSeconds: Date.now() / 1000,
		ttlSeconds: 86_400,
	});
	await store.close();
	const root = t.testdir({
		config: {
			"earshot.toml": `[[microphone]]
id = "desk"
device = "mic"
language = "zh-cmn-Hans-CN"
words = true

[[microphone]]
id = "door"
device = "mic"
language = "zh-cmn-Hans-CN"
wake_words = ["广州市房", "小智小智"]
`,
		},
	});
	const spoken = Buffer.concat([pause(1), pcmOf("zh-aishell-1"), pause(4)]);
	Object.assign(process.env, fakeCard(root, spoken));
	const modelDir = await jointModels();
	const readConfig = () =>
		loadConfig({
			environment: {
				...patientEngine,
				EARSHOT_MODEL_DIR: modelDir,
				EARSHOT_MODEL_SECOND_EAR: "ear",
				EARSHOT_STATE_DIR: stateDir,
				EARSHOT_ENGINE_BATCH_RECOGNIZERS: "1",
				// a second one waits for the first a sixth of its time
				EARSHOT_ENGINE_THREADS: "1",
				// the microphones take two
				EARSHOT_ENGINE_LIVE_SLOTS: "4",
				EARSHOT_ENGINE_BATCH_NICENESS: "0",
				EARSHOT_ENGINE_BATCH_IDLE_ONLY: "false",
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
	const finals: MicrophoneFinal[] = [];
	const woken: string[] = [];
	appliance.microphones.onEvent((event) => {
		if (event.is === "wake")
			woken.push(`${event.microphone} ${event.wake.phrase}`);
		if (event.is !== "final") return;
		const { text, words, beginAtMs, endAtMs } = event.utterance;
		finals.push({
			id: event.microphone,
			text,
			words,
			lengthMs: endAtMs - beginAtMs,
		});
	});
	const finalOf = (id: string) =>
		eventually(`a final text of ${id}`, () =>
			finals.find((it) => it.id === id),
		);
	const url = `http://127.0.0.1:${await appliance.start()}`;
	await eventually(
		"a healthy appliance",
		async () => (await fetch(`${url}/healthz`)).status === 200,
	);
	const headers = { authorization: `Bearer ${token}` };
	const recognize = async (lang: string, pcm: Buffer) => {
		const query = new URLSearchParams({
			lang_type: lang,
			format: "pcm",
			enable_words: "true",
			duration: "600",
		});
		const answer = await fetch(`${url}/v1/asr/api?${query}`, {
			method: "POST",
			headers,
			body: pcm,
		});
		return (await answer.json()) as {
			readonly status: string;
			readonly message: string;
			readonly data: {
				readonly result: string;
				readonly words: readonly ApiWord[] | null;
			};
		};
	};
	return { url, token, headers, recognize, finalOf, woken };
}

t.test("an appliance with the second ear", { skip }, async (t) => {
	const { url, token, headers, recognize, finalOf, woken } = await started(t);
	const clip = pcmOf("zh-aishell-1");
	const clipMs = clip.length / bytesPerMs;
	let short = "";

	t.test("a short request gets the refined text", async (t) => {
		const { data } = await recognize("zh", clip);
		t.match(data.result, refined);
		checkWords(t, (data.words ?? []).map(timed), clipMs);
		short = data.result;
	});

	t.test("a live final is the same", async (t) => {
		const client = new EarshotClient({ url, token });
		await client.start({ lang_type: "zh", enable_words: true });
		for (let at = 0; at < clip.length; at += 1280)
			await client.send(clip.subarray(at, at + 1280));
		const { text, words } = await client.stop();
		t.equal(text, short);
		checkWords(t, words.map(timed), clipMs);
	});

	t.test("so is a sentence of a file", async (t) => {
		const form = new FormData();
		const recording = Buffer.concat([pause(2), clip]);
		form.set("file", new Blob([pcmWav(recording)]), "one.wav");
		for (const [name, value] of Object.entries({
			lang_type: "zh",
			format: "wav",
			enable_words: "true",
		}))
			form.set(name, value);
		const uploaded = await fetch(`${url}/v1/asrfile/upload`, {
			method: "POST",
			headers,
			body: form,
		});
		const { data } = (await uploaded.json()) as { data: { task_id: string } };
		const segments = await eventually("a transcript", async () => {
			const answer = await fetch(
				`${url}/v1/asrfile/result?task_id=${data.task_id}`,
				{ headers },
			);
			const { data: found } = (await answer.json()) as {
				data: {
					result?: readonly { transcript: string; words: ApiWord[] }[];
				};
			};
			return found.result;
		});
		const text = segments.map((it) => it.transcript).join("");
		t.match(text, refined);
		checkWords(
			t,
			segments.flatMap((it) => it.words).map(timed),
			recording.length / bytesPerMs,
		);
	});

	t.test("so is what a microphone records", async (t) => {
		const { text, words, lengthMs } = await finalOf("desk");
		t.match(text, refined);
		checkWords(t, words, lengthMs + 1);
	});

	t.test("a microphone with wake words records what follows one", async (t) => {
		const { text } = await finalOf("door");
		// without its beginning the sentence has other words
		t.match(text, /协会分析/u);
		t.notMatch(text, /广州/u);
		t.same(woken, ["door 广州市房"]);
	});

	t.test("Chinese between English is refined, English is not", async (t) => {
		const english = pcmOf("en-azure-weather");
		const alone = await recognize("en", english);
		const { data, status, message } = await recognize(
			"zh-cmn-Hans-CN-en-US",
			Buffer.concat([clip, pause(1), english]),
		);
		t.equal(status, "000000", message);
		t.match(data.result, refined);
		const letters = (text: string) =>
			text
				.toLowerCase()
				.replace(/[^a-z]+/g, " ")
				.trim();
		t.equal(letters(data.result), letters(alone.data.result));
		const audioMs = (clip.length + english.length) / bytesPerMs + 1000;
		checkWords(t, (data.words ?? []).map(timed), audioMs);
	});

	t.test(
		"more than a segment without a pause is recognized in order",
		async (t) => {
			const names = ["002", "009", "012", "019", "027", "028"];
			const speech = names.map((it) => spokenOnly(pcmOf(`zh-fleurs-${it}`)));
			// a segment ends at 28 s at the latest
			const long = Buffer.concat(speech).subarray(0, 30_000 * bytesPerMs);
			const { status, message, data } = await recognize("zh", long);
			t.equal(status, "000000", message);
			t.ok(data.result.length > 100, data.result);
			checkWords(t, (data.words ?? []).map(timed), long.length / bytesPerMs);
		},
	);

	t.test("Cantonese is not accepted under another name", async (t) => {
		t.match(await recognize("yue", clip), { status: "200008" });
	});

	t.test("the ear never failed", async (t) => {
		const metrics = await (await fetch(`${url}/metrics`)).text();
		t.match(
			metrics,
			/^earshot_engine_refinement_failures_total\{lane="live"\} 0$/m,
		);
	});
});

/** Without the silence at both ends. */
function spokenOnly(pcm: Buffer): Buffer {
	const window = 20 * bytesPerMs;
	const loud: number[] = [];
	for (let at = 0; at + window <= pcm.length; at += window) {
		let power = 0;
		for (let i = at; i < at + window; i += 2) power += pcm.readInt16LE(i) ** 2;
		if (power / (window / 2) > 300 ** 2) loud.push(at);
	}
	return pcm.subarray(loud[0], (loud.at(-1) ?? 0) + window);
}
