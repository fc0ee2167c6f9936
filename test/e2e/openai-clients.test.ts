/** OpenAI's own SDKs for Python and Node, and two other readers of its interface, against a real appliance: nothing is set but the address and the key. */
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { folderWithSdk } from "./node-sdk.js";
import { printedBy, pythonWithClients } from "./python-environment.js";
import { type RunningAppliance, repository } from "./running-appliance.js";
import { sharedAppliance } from "./shared-appliance.js";

const run = promisify(execFile);
const clip = join(repository, "test/clips/en-librivox-0880.wav");

/** Blocks of a page, with the address and token of a running appliance. */
function blocks(
	page: string,
	language: string,
	{ url, token }: RunningAppliance,
): readonly string[] {
	const text = readFileSync(join(repository, "docs", page), "utf8");
	const found = text.matchAll(
		new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"),
	);
	return [...found].map(([, block = ""]) =>
		block
			.replaceAll("http://127.0.0.1:7100", url)
			.replaceAll('"TOKEN"', `"${token}"`),
	);
}

/** What a file is sent to; speech while it is spoken has tests of its own. */
const isForFiles = (block: string) =>
	/transcri(be|ption)/.test(block) && !block.includes("realtime");

const expected = /young man/;

t.test("with an appliance", async (t) => {
	const appliance = await sharedAppliance();
	const { url, token } = appliance;
	const native = await appliance.recognize(
		{ lang_type: "en", format: "wav" },
		readFileSync(clip),
	);
	const { data } = (await native.json()) as { data: { result: string } };
	const wanted = data.result;

	const found = await pythonWithClients("openai-requirements.txt");
	const python = "python" in found ? found.python : "";
	const noPython = "missing" in found && found.missing;
	/** All programs in Python run in one process, which loads their packages once. @returns what each has printed. */
	const runPrograms = async () => {
		const folder = t.testdir();
		copyFileSync(clip, join(folder, "clip.wav"));
		const encoded = ["webm", "m4a"].map((it) => join(folder, `clip.${it}`));
		const outputs = encoded.flatMap((it) => ["-ac", "1", it]);
		await run("ffmpeg", ["-v", "error", "-i", clip, ...outputs]);
		const script = (name: string) =>
			join(repository, `test/e2e/python/${name}.py`);
		const ofPage = blocks("clients.md", "python", appliance)
			.filter(isForFiles)
			.map((block, at) => {
				const path = join(folder, `docs-${at}.py`);
				writeFileSync(path, block);
				return [path];
			});
		const [openai = "", litellm = "", ...page] = await printedBy(
			python,
			[
				[script("openai_sdk"), url, token, clip, ...encoded],
				[script("litellm_sdk"), url, token, clip],
				...ofPage,
			],
			{ cwd: folder },
		);
		return { openai, litellm, page };
	};
	const printed = noPython === false ? runPrograms() : undefined;
	printed?.catch(() => {}); // each test that reads it fails

	t.test("Python", { skip: noPython }, async (t) => {
		const output = JSON.parse((await printed)?.openai ?? "");
		for (const key of ["json", "identified", "verbose", "deltas", "done"])
			t.equal(output[key], wanted, key);
		t.equal(output.text, `${wanted}\n`);
		t.match(output, {
			srt: /^1\r?\n00:00:0/,
			extra: String,
			keywords: expected,
			encoded: [expected, expected],
			refused: ["unsupported_language", "language", true],
			unknown: ["invalid_api_key", null, true],
			absent: ["model_not_found", "model", true],
			speech: ["unknown_url", null, true],
		});
		t.ok(output.logprobs.length > 5);
		t.ok(output.logprobs.every((it: number) => it <= 0));
		t.ok(output.words > 5 && output.end > 1);
		t.ok(output.models.includes("whisper-1"));
	});

	t.test("LiteLLM", { skip: noPython }, async (t) => {
		const { litellm = "" } = (await printed) ?? {};
		const output = JSON.parse(litellm.trim().split("\n").at(-1) ?? "");
		t.match(output, { json: wanted, verbose: wanted, refused: 400 });
		t.ok(output.duration > 1);
	});

	t.test(
		"the Python programs of docs/clients.md",
		{ skip: noPython },
		async (t) => {
			const { page = [] } = (await printed) ?? {};
			t.equal(page.length, 2);
			for (const text of page) t.match(text, expected);
		},
	);

	const langchain = await pythonWithClients("langchain-requirements.txt", {
		variable: "EARSHOT_TEST_FRAMEWORKS",
		size: "300 MB",
	});
	const noLangchain = "missing" in langchain && langchain.missing;
	if (noLangchain) console.error(`skipped: ${noLangchain}`);
	t.test("LangChain's reader", { skip: noLangchain }, async (t) => {
		if ("missing" in langchain) return;
		const script = join(repository, "test/e2e/python/langchain_whisper.py");
		const { stdout } = await run(langchain.python, [script, url, token, clip]);
		t.match(stdout, expected); // it sends MP3
	});

	const folder = await folderWithSdk();
	const noPackage = folder === "" && "no npm package openai";
	t.test("Node", { skip: noPackage }, async (t) => {
		const script = join(folder, "talk.mjs");
		writeFileSync(
			script,
			`import OpenAI from "openai";
import { createReadStream } from "node:fs";
const [baseURL, apiKey, clip] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey });
const transcribe = (options) => client.audio.transcriptions.create({ file: createReadStream(clip), model: "whisper-1", language: "en", ...options });
let deltas = "";
for await (const event of await transcribe({ stream: true })) if (event.type === "transcript.text.delta") deltas += event.delta;
const refused = await transcribe({ language: "de" }).catch((error) => [error.status, error.code]);
console.log(JSON.stringify({ json: (await transcribe({})).text, text: await transcribe({ response_format: "text" }), deltas, refused }));
`,
		);
		const { stdout } = await run(process.execPath, [
			script,
			`${url}/v1`,
			token,
			clip,
		]);
		t.same(JSON.parse(stdout), {
			json: wanted,
			text: `${wanted}\n`,
			deltas: wanted,
			refused: [400, "unsupported_language"],
		});
	});

	t.test("Vercel's AI SDK", { skip: noPackage }, async (t) => {
		const script = join(folder, "ai.mjs");
		writeFileSync(
			script,
			`import { createOpenAI } from "@ai-sdk/openai";
import { transcribe } from "ai";
import { readFileSync } from "node:fs";
const [baseURL, apiKey, clip] = process.argv.slice(2);
const audio = readFileSync(clip);
const transcribeWith = async (id, options) => transcribe({ model: createOpenAI({ baseURL, apiKey }).transcription(id), audio, ...options });
const plain = await transcribeWith("gpt-4o-transcribe", {});
const timed = await transcribeWith("whisper-1", { providerOptions: { openai: { language: "en", timestampGranularities: ["word"] } } });
console.log(JSON.stringify({ plain: plain.text, text: timed.text, language: timed.language, seconds: timed.durationInSeconds, segments: timed.segments }));
`,
		);
		const { stdout } = await run(process.execPath, [
			script,
			`${url}/v1`,
			token,
			clip,
		]);
		const output = JSON.parse(stdout);
		t.match(output, { plain: wanted, text: wanted, language: "en" });
		t.ok(output.seconds > 1 && output.segments[0].endSecond > 1, stdout);
	});

	t.test("the commands of docs/openai.md", async (t) => {
		const commands = blocks("openai.md", "sh", appliance);
		t.ok(commands.length > 0);
		const env = { ...process.env, TOKEN: appliance.token };
		for (const command of commands) {
			const { stdout } = await run("bash", ["-ec", command], {
				cwd: repository,
				env,
			});
			t.match(JSON.parse(stdout), {
				text: /Dashwood/,
				usage: { type: "duration", seconds: 8 },
			});
		}
	});

	t.test(
		"the programs for Node of docs/clients.md",
		{ skip: noPackage },
		async (t) => {
			copyFileSync(clip, join(folder, "clip.wav"));
			const programs = blocks("clients.md", "js", appliance).filter(isForFiles);
			t.equal(programs.length, 2);
			for (const [at, program] of programs.entries()) {
				const script = join(folder, `docs-${at}.mjs`);
				writeFileSync(script, program);
				const { stdout } = await run(process.execPath, [script], {
					cwd: folder,
				});
				t.match(stdout, expected);
			}
		},
	);
});
