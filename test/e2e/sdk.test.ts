/** The service's own client SDK (dolphinvoice 1.0.0, as it is published) against this appliance (docs/interface.md section 10). */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { countErrors, errorPercent } from "../../scripts/benchmarks/scoring.js";
import { pythonWithClients } from "./python-environment.js";
import { repository } from "./running-appliance.js";
import { sharedAppliance } from "./shared-appliance.js";

const run = promisify(execFile);
const clips = join(repository, "test/clips");
const clip = "en-librivox-0930.wav";
const spoken = "he might even have been made amiable himself";

interface Message {
	readonly header: Readonly<Record<string, unknown>> & {
		readonly name: string;
	};
	readonly payload: Readonly<Record<string, unknown>>;
}

/** What the script wrote: messages, and what the SDK's calls returned. */
interface SdkOutput {
	readonly messages: readonly Message[];
	readonly names: readonly string[];
	readonly start: unknown;
	readonly stop: unknown;
	readonly closed: boolean;
}

interface Transcribed {
	readonly status?: string;
	readonly data?: {
		readonly result?: readonly {
			readonly transcript: string;
			readonly words?: readonly unknown[];
		}[];
	};
}

const environment = await pythonWithClients();
const skip = "missing" in environment ? environment.missing : false;
if (skip) console.error(`skipped: ${skip}`);

t.test("the dolphinvoice SDK", { skip }, async (t) => {
	if ("missing" in environment) return;
	const { python } = environment;
	const earshot = await sharedAppliance();
	const made = await earshot.command(
		...["app", "create", "--name", "sdk", "--json"],
	);
	const app = JSON.parse(made.stdout) as { app_id: string; secret: string };

	const speak = async (
		t: Test,
		kind: "recognizer" | "transcriber",
		options: object,
		stream = "/v1/asr/ws",
	): Promise<SdkOutput> => {
		const folder = mkdtempSync(join(tmpdir(), "earshot-sdk-"));
		t.teardown(() => rmSync(folder, { recursive: true, force: true }));
		const output = join(folder, "output.jsonl");
		await run(
			python,
			[
				join(repository, "test/e2e/python/sdk.py"),
				kind,
				earshot.url.replace("http", "ws") + stream,
				`${earshot.url}/platform/v1/auth/online/token`,
				join(clips, clip),
				output,
				JSON.stringify(options),
			],
			{
				cwd: folder,
				env: { ...process.env, APP_ID: app.app_id, APP_SECRET: app.secret },
				timeout: 1_200_000,
			},
		);
		return parseOutput(readFileSync(output, "utf8"));
	};

	t.test("its recognizer, with a token of its own signing", async (t) => {
		const output = await speak(t, "recognizer", {
			lang_type: "en-US",
			format: "wav",
			sample_rate: 16000,
			user_id: "kiosk",
			enable_words: true,
			customization_id: "none",
			connect_timeout: 60, // on a busy machine it waits until it has seen it grow
		});
		t.match(output, { start: 0, stop: 0, closed: true });
		t.equal(output.names[0], "RecognitionStarted");
		t.equal(output.names.at(-1), "RecognitionCompleted");
		t.ok(output.names.includes("RecognitionResultChanged"), "saw it grow");
		const last = output.messages.at(-1);
		t.match(last?.header, {
			namespace: "SpeechRecognizer",
			status: "000000",
			task_id: String,
			message_id: String,
			user_id: "kiosk",
		});
		t.match(last?.payload, { index: 1, speaker_id: null, user_id: "kiosk" });
		checkErrorRate(t, last?.payload.result);
		const words = last?.payload.words as { word: string }[];
		t.ok(words.length >= 8, `${words.length} words`);
		const tasks = output.messages.map((it) => it.header.task_id);
		t.equal(new Set(tasks).size, 1, "one task id for all");
		const ids = output.messages.map((it) => it.header.message_id);
		t.equal(new Set(ids).size, ids.length, "a message id each");
	});

	for (const stream of ["/v1/asr/ws", "/v1/asr/transcriber/ws"])
		t.test(`its transcriber at ${stream}`, async (t) => {
			const output = await speak(
				t,
				"transcriber",
				{ lang_type: "en-US", format: "wav", sample_rate: 16000 },
				stream,
			);
			t.match(output, { start: 0, stop: 0, closed: true });
			t.equal(output.names[0], "TranscriptionStarted");
			t.equal(output.names[1], "SentenceBegin");
			t.equal(output.names.at(-1), "TranscriptionCompleted");
			const ends = output.messages.filter(
				(it) => it.header.name === "SentenceEnd",
			);
			t.same(
				ends.map((it) => it.payload.index),
				ends.map((_, at) => at + 1),
				"sentences count from 1",
			);
			checkErrorRate(t, ends.map((it) => it.payload.result).join(" "));
		});

	const transcribe = async (
		t: Test,
		path: string,
		options: object,
	): Promise<Transcribed> => {
		const folder = mkdtempSync(join(tmpdir(), "earshot-sdk-"));
		t.teardown(() => rmSync(folder, { recursive: true, force: true }));
		const { stdout } = await run(
			python,
			[
				join(repository, "test/e2e/python/sdk_file.py"),
				`${earshot.url.replace("http", "ws")}/v1/asr/ws`,
				`${earshot.url}/platform/v1/auth/online/token`,
				earshot.url + path,
				`${earshot.url}/v1/asrfile/result`,
				join(clips, clip),
				JSON.stringify(options),
			],
			{
				cwd: folder,
				env: { ...process.env, APP_ID: app.app_id, APP_SECRET: app.secret },
				timeout: 1_200_000,
			},
		);
		return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
	};

	for (const path of ["/v1/asrfile/upload", "/v1/asrfile/upload/vip"])
		t.test(`its file transcription at ${path}`, async (t) => {
			const answer = await transcribe(t, path, {
				lang_type: "en-US",
				format: "wav",
				sample_rate: 44_100,
				enable_words: true,
				hotwords_list: ["amiable", "earshot"],
			});
			t.match(answer, {
				status: "000000",
				data: { statistics: { finish_time: /^\d{4}-/ } },
			});
			const segments = answer.data?.result ?? [];
			checkErrorRate(t, segments.map((it) => it.transcript).join(" "));
			t.ok((segments[0]?.words?.length ?? 0) >= 3);
		});

	t.test("a file that is refused is not polled for ever", async (t) => {
		const path = "/v1/asrfile/upload";
		t.same(await transcribe(t, path, { lang_type: "en-US" }), {});
	});

	t.test("an option out of its range is told, not waited for", async (t) => {
		const output = await speak(t, "recognizer", {
			lang_type: "en-US",
			format: "wav",
			max_sentence_silence: 90,
		});
		t.equal(output.start, -1);
		t.equal(output.names[0], "TaskFailed");
		t.match(output.messages[0]?.header, {
			status: "200002",
			status_text: /max_sentence_silence.*90/,
		});
	});
});

function checkErrorRate(t: Test, text: unknown): void {
	const percent = errorPercent([countErrors(spoken, String(text), "en")]);
	t.ok(percent <= 15, `${percent.toFixed(0)} % errors: ${text}`);
}

function parseOutput(lines: string): SdkOutput {
	const all = lines
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	const messages = all.flatMap((it) => it.message ?? []) as Message[];
	return {
		messages,
		names: messages.map((it) => it.header.name),
		start: all.find((it) => "start" in it)?.start,
		stop: all.find((it) => "stop" in it)?.stop,
		closed: all.some((it) => it.closed),
	};
}
