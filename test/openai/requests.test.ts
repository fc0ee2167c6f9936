/** What becomes of a transcription whose client leaves, or can't be served now; and which names of models are refused. */
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import type { Language } from "../../runtime/text/languages.js";
import { transcribe } from "../api/transcribe.js";
import { folderWithSdk } from "../e2e/node-sdk.js";
import { startFiles, wavBytes } from "../files/running-files.js";
import { eventually, until } from "../fixtures/eventually.js";

type Fields = Readonly<Record<string, string>>;

/** Of one second, in a form that says nothing of its length, and of two minutes. */
const clip = wavBytes(1);
const long = wavBytes(120);

t.test("with an API", async (t) => {
	const models = ["whisper-base", "whisper-small"].map((name) => ({
		name,
		installedSeconds: 1,
		source: "a test",
		languages: ["en-US"],
		streaming: false,
		translates: false,
		megabytes: 1,
		active: name === "whisper-base",
		serves: [],
	}));
	const api = await startFiles(t, {
		overrides: {
			endpoints: { strict_models: true, sync_seconds: 60, whisper_cpp: true },
			models,
		},
	});
	const { lane, taskService } = api;
	const token = await api.makeToken(["asr"]);
	const post = (
		fields: Fields,
		audio: Uint8Array,
		signal?: AbortSignal,
		path?: string,
	) => transcribe({ url: api.url, token }, audio, fields, signal, path);

	t.test("a client that leaves gives its slot back", async (t) => {
		for (const stream of ["false", "true"]) {
			lane.opened.length = 0;
			lane.behaviour = { holdResult: true };
			const leaving = new AbortController();
			const request = post({ stream, language: "en" }, clip, leaving.signal);
			await until(() => lane.opened[0]?.finished === true);
			leaving.abort();
			await t.rejects(request);
			await lane.last.cancelled;
			await until(() => lane.held === 0);
		}
	});

	t.test("and removes its task", async (t) => {
		const leaving = new AbortController();
		const request = post({ language: "en" }, long, leaving.signal);
		await until(() => taskService.submitted.length === 1);
		const { id, isAwaited } = taskService.last;
		t.ok(taskService.find(id));
		t.equal(isAwaited, true, "of no use after a crash");
		leaving.abort();
		await t.rejects(request);
		await until(() => taskService.find(id) === undefined);
	});

	t.test("speakers that could not be told apart are no answer", async (t) => {
		const fields = { language: "en", response_format: "diarized_json" };
		for (const [cluster_id, status] of [
			[undefined, 500],
			[1, 200],
		] as const) {
			const submitted = taskService.submitted.length;
			const request = post(fields, clip);
			await until(() => taskService.submitted.length > submitted);
			const { id } = taskService.last;
			const segment = {
				transcript: "Good day.",
				seg_num: 1,
				confidence: 1,
				paragraph: 1,
			};
			const times = { begin: "00:00:00,000", end: "00:00:01,000" };
			taskService.complete(id, [
				{ ...segment, ...times, ...(cluster_id && { cluster_id }) },
			]);
			const response = await request;
			t.equal(response.status, status);
			const text = await response.text();
			t.match(text, status === 200 ? /"speaker":"A"/ : /told apart/);
			if (status === 500)
				t.equal(
					response.headers.get("x-should-retry"),
					"false",
					"an SDK would have the whole file transcribed twice more",
				);
		}
	});

	t.test(
		"the words of a task have the confidence of their sentence",
		async (t) => {
			for (const stream of ["false", "true"]) {
				const submitted = taskService.submitted.length;
				const fields = { language: "en", "include[]": "logprobs", stream };
				const request = post(fields, long);
				await until(() => taskService.submitted.length > submitted);
				const { id, options } = taskService.last;
				t.equal(options.words, true);
				const word = (text: string, is_punc = false) => ({
					word: text,
					start_time: 0,
					end_time: 1000,
					is_punc,
					type: is_punc ? ("punc" as const) : ("normal" as const),
				});
				const times = { begin: "00:00:00,000", end: "00:00:01,000" };
				const about = { ...times, seg_num: 1, confidence: 0.5, paragraph: 1 };
				const words = [word("Good"), word("day"), word(".", true)];
				taskService.complete(id, [
					{ ...about, transcript: "Good day.", words },
				]);
				const text = await (await request).text();
				const done =
					stream === "true" ? eventsOf(text).at(-1) : JSON.parse(text);
				const logprob = Math.log(0.5);
				t.same(done.logprobs, [
					{ token: "Good", logprob, bytes: [...Buffer.from("Good")] },
					{ token: "day", logprob, bytes: [...Buffer.from("day")] },
				]);
			}
		},
	);

	t.test("sentences of a long file come while it is transcribed", async (t) => {
		const submitted = taskService.submitted.length;
		const request = post({ stream: "true", language: "ja" }, long);
		await until(() => taskService.submitted.length > submitted);
		const { id } = taskService.last;
		const sentences = ["今日は晴れです。", "Rain", "OK です。", "明日も。"];
		const deltas = ["今日は晴れです。", "Rain", " OK です。", "明日も。"];
		taskService.settle(id, sentences.slice(0, 1));
		const texts = (await request).body?.pipeThrough(new TextDecoderStream());
		const reader = texts?.getReader();
		let text = "";
		const read = async () => {
			const { done, value } = (await reader?.read()) ?? { done: true };
			text += value ?? "";
			return !done;
		};
		while (deltasOf(text).length < 1 && (await read()));
		t.same(deltasOf(text), deltas.slice(0, 1), "not after seconds, at once");
		taskService.settle(id, sentences.slice(1, 2));
		taskService.settle(id, sentences.slice(2, 3));
		while (deltasOf(text).length < 3 && (await read()));
		t.equal(taskService.find(id)?.state, "queued", "it is not finished yet");
		const times = { begin: "00:00:00,000", end: "00:00:01,000" };
		const about = { ...times, seg_num: 1, confidence: 0.5, paragraph: 1 };
		taskService.complete(
			id,
			sentences.map((transcript) => ({ ...about, transcript })),
		);
		while (await read());
		t.same(deltasOf(text), deltas);
		t.equal(eventsOf(text).at(-1)?.text, deltas.join(""));
	});

	t.test("the language of a long file is that of its speech", async (t) => {
		const identified = async (
			...finals: readonly (readonly [Language | undefined, number])[]
		) => {
			lane.opened.length = 0;
			lane.behaviour = { holdResult: true };
			const submitted = taskService.submitted.length;
			const request = post({}, long);
			await until(() => lane.opened.length === 1);
			for (const [index, [language, seconds]] of finals.entries())
				lane.last.emit({
					is: "final",
					utterance: {
						index: index + 1,
						beginMs: 70_000,
						text: "x",
						words: [],
						endMs: 70_000 + seconds * 1000,
						confidence: 1,
					},
					audioMs: 80_000,
					...(language && { language }),
				});
			await until(() => taskService.submitted.length > submitted);
			const { id, options } = taskService.last;
			taskService.complete(id, []);
			await request;
			return options.language;
		};
		t.equal(await identified(["ja-JP", 3]), "ja-JP");
		t.ok((lane.options?.durationSecondsMax ?? 0) > 300, "however late");
		t.equal(
			await identified(["en-US", 0.5], ["ja-JP", 1], ["ja-JP", 2]),
			"ja-JP",
			"not that of a greeting",
		);
		t.equal(
			await identified(["ja-JP", 1], [undefined, 29]),
			"ja-JP",
			"not searched for ever",
		);
		lane.behaviour = { failAfterBytes: 1, failWith: "200006" };
		t.equal((await post({}, long)).status, 400, "what can't be decoded");
		lane.behaviour = {};
	});

	t.test("a list of each language that may be identified counts", async (t) => {
		const asking = {
			method: "POST",
			headers: {
				Authorization: `Bearer ${await api.makeToken(["hotwords"])}`,
			},
		};
		for (const [path, lang_type, words] of [
			["hotwords", "zh", ["豹猫"]],
			["forbidden-words", "zh", ["笨蛋"]],
			["forbidden-words", "en", ["darn"]],
		] as const) {
			const body = JSON.stringify({ lang_type, words, id: lang_type });
			const answer = await api.ask(`/v1/${path}`, { ...asking, body });
			t.equal(answer.status, "000000");
		}
		const fields = { hotwords_id: "zh", forbidden_words_id: "all" };
		lane.behaviour = {};
		t.equal((await post(fields, clip)).status, 200, "of short audio");
		t.equal(lane.options?.forbidden?.length, 2);

		lane.opened.length = 0;
		lane.behaviour = { holdResult: true };
		const submitted = taskService.submitted.length;
		const request = post(fields, long);
		await until(() => lane.opened.length === 1);
		const { data } = await api.ask("/v1/forbidden-words/zh", {
			headers: asking.headers,
		});
		t.match(data, { status: 1 }, "in use while the language is identified");
		const utterance = { index: 1, beginMs: 0, endMs: 3000, words: [] };
		lane.last.emit({
			is: "final",
			utterance: { ...utterance, text: "x", confidence: 1 },
			audioMs: 80_000,
			language: "en-US",
		});
		await until(() => taskService.submitted.length > submitted);
		const { id, options } = taskService.last;
		t.equal(options.language, "en-US");
		t.match(options.listLanguages, ["en-US", "zh-cmn-Hans-CN", "ja-JP"]);
		taskService.complete(id, []);
		t.equal((await request).status, 200, "nor is long audio refused for it");

		lane.opened.length = 0;
		taskService.isFull = true;
		t.equal((await post({}, long)).status, 503);
		taskService.isFull = false;
		const answer = await post({ hotwords_id: "nobody" }, long);
		t.equal(answer.status, 404);
		t.equal(lane.opened.length, 0, "before any speech is recognized");
		lane.behaviour = {};
	});

	t.test("a task that fails is an error, and not repeated", async (t) => {
		const failed = async (status: "220500" | "200006", stream = "false") => {
			const submitted = taskService.submitted.length;
			const request = post({ language: "en", stream }, long);
			await until(() => taskService.submitted.length > submitted);
			taskService.put(taskService.last.id, {
				state: "failed",
				failure: { status, message: "the engine died again and again" },
			});
			const answer = await request;
			const { error } = (await answer.json()) as { error: object };
			const retry = answer.headers.get("x-should-retry");
			return { http: answer.status, retry, error };
		};
		const error = {
			code: "internal_error",
			type: "server_error",
			message: /^the engine died again and again \(request /,
		};
		for (const stream of ["false", "true"])
			t.match(await failed("220500", stream), {
				http: 500,
				retry: "false",
				error,
			});
		t.match(await failed("200006"), {
			http: 400,
			error: { code: "unsupported_format" },
		});
	});

	t.test("nor is one that somebody removes", async (t) => {
		const submitted = taskService.submitted.length;
		const request = post({ language: "en" }, long);
		await until(() => taskService.submitted.length > submitted);
		await taskService.remove(taskService.last.id);
		const answer = await request;
		t.equal(answer.status, 500);
		t.equal(answer.headers.get("x-should-retry"), "false");
		t.match(await answer.json(), { error: { message: /was removed/ } });
	});

	t.test("strict_models takes the names that are listed", async (t) => {
		lane.behaviour = {};
		const status = async (model: string) => {
			const answer = await post({ model, language: "en" }, clip);
			const { error } = (await answer.json()) as { error?: object };
			return { http: answer.status, error };
		};
		t.match(await status("whisper-base"), { http: 200 });
		t.match(await status("whisper-small"), { http: 200 });
		t.match(await status("gpt-4o-transcribe"), { http: 200 }, "an alias");
		t.match(await status("whisper-large"), {
			http: 404,
			error: { code: "model_not_found", param: "model" },
		});
	});

	t.test("languages of which one is not served are identified", async (t) => {
		lane.behaviour = {};
		const two = { "languages[0]": "en", "languages[1]": "fr" };
		t.equal((await post(two, clip)).status, 200);
		t.ok(lane.options?.languageChoices, "among those that are served");
		t.equal((await post({ "languages[0]": "fr" }, clip)).status, 400);
	});

	t.test("field chooses gain and pause as for an upload", async (t) => {
		lane.behaviour = {};
		const language = "en";
		t.equal((await post({ language, field: "call-center" }, clip)).status, 200);
		t.match(lane.options, { gain: 2, maxSentenceSilenceMs: 250 });
		t.equal((await post({ language, field: "nonsense" }, clip)).status, 400);
	});

	t.test("times of segments are the default of every format", async (t) => {
		lane.behaviour = {};
		const ask = (granularity: string) =>
			post({ language: "en", "timestamp_granularities[]": granularity }, clip);
		const answer = await ask("segment");
		t.equal(answer.status, 200);
		t.equal(answer.headers.get("x-earshot-ignored"), "timestamp_granularities");
		t.equal((await ask("word")).status, 400);
	});

	t.test(
		"deltas are the text of done, whatever it was joined by",
		async (t) => {
			lane.opened.length = 0;
			lane.behaviour = { holdResult: true };
			const answer = post({ stream: "true" }, clip);
			await until(() => lane.opened[0]?.finished === true);
			const spoken = [
				["Hello.", "en-US"],
				["How are you?", "en-US"],
				["元気です。", "ja-JP"],
			] as const;
			for (const [index, [text, language]] of spoken.entries())
				lane.last.emit({
					is: "final",
					utterance: {
						index: index + 1,
						beginMs: 0,
						endMs: 100,
						text,
						confidence: 1,
						words: [],
					},
					audioMs: 1000,
					language,
				});
			lane.last.emit({
				is: "completed",
				text: "Hello.How are you?元気です。",
				confidence: 1,
				words: [],
				audioMs: 1000,
				why: "finished",
				language: "ja-JP",
			});
			t.equal(
				(await answer).headers.get("content-type"),
				"text/event-stream; charset=utf-8",
				"else Python's requests takes it for Latin-1",
			);
			const events = eventsOf(await (await answer).text());
			const deltas = events.flatMap((it) => it.delta ?? []);
			t.equal(deltas.join(""), "Hello. How are you?元気です。");
			t.match(events.at(-1), {
				type: "transcript.text.done",
				text: deltas.join(""),
			});
		},
	);

	t.test("whisper.cpp's server writes yes in four ways", async (t) => {
		lane.behaviour = {};
		const code = async (translate: string) => {
			const fields = { translate, language: "en" };
			const answer = await post(fields, clip, undefined, "/inference");
			const { error } = (await answer.json()) as { error?: { code: string } };
			return error?.code;
		};
		for (const yes of ["true", "True", "1", "yes", "y"])
			t.equal(await code(yes), "unsupported_model", yes);
		for (const no of ["false", "0", ""]) t.equal(await code(no), undefined, no);
	});

	t.test("a prompt of words makes hotwords, a sentence does not", async (t) => {
		lane.behaviour = {};
		const ignored = async (prompt: string) => {
			const answer = await post({ prompt, language: "en" }, clip);
			return answer.headers.get("x-earshot-ignored");
		};
		for (const list of [
			"EchoNix Array, PULSE, B.R.I.C.K., F.L.I.N.T.",
			"Bank of New York, Apple Inc.",
			"東京、大阪\n札幌",
		])
			t.equal(await ignored(list), null, list);
		for (const sentence of [
			"以下是普通话的句子。",
			"你好，晚上好，很高兴认识你。",
			"こんにちは、お元気ですか？",
			"Hello, welcome to my lecture.",
		])
			t.equal(await ignored(sentence), "prompt", sentence);
	});

	const folder = await folderWithSdk();
	const skip = folder === "" && "no npm package openai";
	t.test("OpenAI's package tries again when told to", { skip }, async (t) => {
		const { OpenAI } = await import(`${folder}/node_modules/openai/index.mjs`);
		const client = new OpenAI({ baseURL: `${api.url}/v1`, apiKey: token });
		const transcribe = () =>
			client.audio.transcriptions.create({
				model: "whisper-base",
				language: "en",
				file: new File([clip], "a.wav"),
			});
		lane.askers.length = 0;
		lane.behaviour = {
			refuse: new CodedError("100004", "full", { retryAfterSeconds: 1 }),
		};
		const began = performance.now();
		const answer = transcribe();
		await until(() => lane.askers.length === 1);
		lane.behaviour = {};
		t.match(await answer, { text: /^heard/ });
		t.equal(lane.askers.length, 2, "once more");
		t.ok(performance.now() - began >= 990, "as late as Retry-After says");

		lane.askers.length = 0;
		lane.behaviour = {
			refuse: new CodedError("100004", "stopping", { retry: "never" }),
		};
		const refused = await transcribe().catch((error: unknown) => error);
		t.match(refused, { status: 503, code: "overloaded" });
		t.equal(lane.askers.length, 1, "x-should-retry: false");
	});

	t.test("each request was counted", async (t) => {
		const count = (status: string) =>
			eventually(`${status} in /metrics`, async () => {
				const text = await (await fetch(`${api.url}/metrics`)).text();
				const labels = `endpoint="openai",status="${status}"`;
				const name = `earshot_endpoint_requests_total{${labels}}`;
				const line = text.split("\n").find((it) => it.startsWith(name));
				return Number(line?.split(" ").at(-1));
			});
		t.equal(await count("gone"), 3);
		t.equal(await count("100001"), 1);
	});
});

function deltasOf(text: string): string[] {
	return eventsOf(text).flatMap((it) => it.delta ?? []);
}

function eventsOf(text: string) {
	return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) =>
		JSON.parse(json),
	);
}
