/** OpenAI's audio interface of a real appliance, called with plain requests: every format, and the same text as `POST /v1/asr/api`. */
import { readFileSync } from "node:fs";
import t from "tap";
import { clipBytes } from "../audio/clips.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { eventually } from "../fixtures/eventually.js";
import { sharedAppliance } from "./shared-appliance.js";

const clips = {
	en: "test/clips/en-librivox-0880.wav",
	ja: "test/clips/ja-kokoro-weather.wav",
} as const;

type Fields = Readonly<Record<string, string | readonly string[]>>;

t.test("with an appliance", async (t) => {
	const appliance = await sharedAppliance();
	const headers = { "X-API-Key": appliance.token };
	const post = async (
		fields: Fields,
		clip: Uint8Array | undefined,
		path = "/v1/audio/transcriptions",
	) => {
		const form = new FormData();
		if (clip) form.append("file", new Blob([clip]), "speech.webm"); // first, with a wrong name
		for (const [name, texts] of Object.entries(fields))
			for (const text of [texts].flat()) form.append(name, text as string);
		const answer = await fetch(`${appliance.url}${path}`, {
			method: "POST",
			headers,
			body: form,
		});
		const text = await answer.text();
		const isJson = answer.headers.get("content-type")?.includes("json");
		return {
			http: answer.status,
			headers: answer.headers,
			text,
			json: isJson ? JSON.parse(text) : undefined,
		};
	};
	const english = readFileSync(clips.en);
	const native = async (language: string, clip: Uint8Array) => {
		const query = { lang_type: language, format: "wav" };
		const answer = await appliance.recognize(query, clip);
		const { data } = (await answer.json()) as { data: { result: string } };
		return data.result;
	};
	const wanted = await native("en", english);
	const japanese = readFileSync(clips.ja);
	const wantedInJapanese = await native("ja", japanese);

	t.test("json and text: the text of the native endpoint", async (t) => {
		const json = await post({ model: "whisper-1", language: "en" }, english);
		t.match(json, { http: 200, json: { text: wanted } });
		t.match(json.json.usage, { type: "duration", seconds: Number });
		t.match(json.headers.get("x-request-id"), /^[0-9a-f]{16}$/);
		const text = await post({ response_format: "text" }, english);
		t.equal(text.text, `${wanted}\n`);
		t.match(text.headers.get("content-type"), /^text\/plain/);
	});

	t.test("without a language it is identified", async (t) => {
		const ja = await post({ language: "", prompt: "" }, japanese);
		t.match(ja.json, {
			text: wantedInJapanese,
			languages: [{ code: "ja" }],
		});
	});

	t.test("verbose_json has every key, words where asked for", async (t) => {
		const { json } = await post(
			{
				response_format: "verbose_json",
				language: "en",
				"timestamp_granularities[]": ["word", "segment"],
			},
			english,
		);
		t.match(json, { task: "transcribe", language: "english", text: wanted });
		t.ok(json.duration > 1);
		const [segment] = json.segments;
		t.same(Object.keys(segment), [
			"id",
			"seek",
			"start",
			"end",
			"text",
			"tokens",
			"temperature",
			"avg_logprob",
			"compression_ratio",
			"no_speech_prob",
		]);
		for (const key of Object.keys(segment))
			if (key !== "text" && key !== "tokens")
				t.type(segment[key], "number", key);
		t.ok(json.words.length > 3);
		t.match(json.words[0], { word: String, start: Number, end: Number });
	});

	t.test("subtitles", async (t) => {
		const srt = await post({ response_format: "srt", language: "en" }, english);
		t.match(srt.text, /^1\r\n00:00:0\d,\d{3} --> 00:00:/);
		t.match(srt.headers.get("content-type"), /^application\/x-subrip/);
		const vtt = await post({ response_format: "vtt", language: "en" }, english);
		t.match(vtt.text, /^WEBVTT\n\n1\n/);
	});

	t.test("deltas concatenate to the text of done", async (t) => {
		const { text, headers, http } = await post({ stream: "True" }, english);
		t.equal(http, 200);
		t.equal(headers.get("content-type"), "text/event-stream; charset=utf-8");
		const { deltas, done, last } = eventsIn(text);
		t.equal(deltas.join(""), wanted);
		t.equal(done.text, wanted);
		t.match(done.languages, [{ code: "en" }]);
		t.equal(last, "[DONE]");
	});

	t.test("logarithms of confidence, and hotwords", async (t) => {
		const { json, headers } = await post(
			{
				language: "en-GB",
				"include[]": "logprobs",
				"keywords[]": ["earshot"],
				prompt:
					"This is prose, which is no list of words since it goes on for long.",
			},
			english,
		);
		t.match(json.logprobs[0], { token: String, logprob: Number });
		t.ok(json.logprobs.every((it: { logprob: number }) => it.logprob <= 0));
		t.equal(headers.get("x-earshot-ignored"), "prompt");
	});

	t.test(
		"long audio, and speakers, become a task that is gone after it",
		async (t) => {
			const late = afterSilence(clipBytes("en-librivox-0880.wav"), 35);
			const answer = await post({ response_format: "verbose_json" }, late);
			t.match(answer.json, { language: "english", text: wanted });
			t.ok(answer.json.duration > 35, `${answer.json.duration}`);
			t.notOk("words" in answer.json, "nobody asked for them");
			t.ok(answer.json.segments.at(-1).end <= answer.json.duration + 0.1);
			const diarized = await post(
				{ response_format: "diarized_json", language: "en" },
				english,
			);
			t.match(diarized.json.segments[0], {
				type: "transcript.text.segment",
				id: "seg_1",
				speaker: "A",
			});
			// which the answer does not wait for
			await eventually("their removal", async () => {
				const tasks = await fetch(`${appliance.url}/v1/asrfile/tasks`, {
					headers: { Authorization: `Bearer ${appliance.token}` },
				});
				const { data } = (await tasks.json()) as { data: unknown[] };
				return data.length === 0;
			});
		},
	);

	t.test("speech in another language is translated", async (t) => {
		const path = "/v1/audio/translations";
		const translate = (clip: string, fields: Fields = {}) =>
			post(fields, readFileSync(`test/clips/${clip}.wav`), path);
		const { json } = await translate("ja-kokoro-weather");
		t.match(json.text, /weather.*tomorrow/i);
		t.match(json.usage, { seconds: Number });
		t.notOk("languages" in json);
		const meeting = await translate("ja-kokoro-meeting", {
			response_format: "verbose_json",
			language: "ja",
			prompt: "earshot",
		});
		t.match(meeting.json, {
			task: "translate",
			language: "english",
			text: /3 o'clock/,
			segments: [{ text: String }],
		});
		const long = afterSilence(clipBytes("ja-kokoro-weather.wav"), 8);
		const srt = await post({ response_format: "srt" }, long, path);
		t.match(srt.text, /^1\r\n00:00:[\s\S]*(weather|rain)/i);
		t.match(
			await translate("ja-kokoro-station", {
				response_format: "diarized_json",
			}),
			{
				http: 400,
				json: { error: { param: "response_format" } },
			},
		);
	});

	t.test("whisper.cpp's path takes the same form", async (t) => {
		const ask = (fields: Fields) => post(fields, japanese, "/inference");
		const fields = { language: "ja", temperature: "0.0" };
		t.equal((await ask(fields)).json.text, wantedInJapanese);
		const english = await ask({ ...fields, translate: "true" });
		t.match(english.json.text, /weather/i);
		t.match(await ask({ language: "de" }), {
			http: 400,
			json: { error: { code: "unsupported_language" } },
		});
	});

	t.test("what is wrong is named", async (t) => {
		for (const [fields, clip, error] of [
			[{}, undefined, { code: "missing_required_parameter", param: "file" }],
			[{ language: "de" }, english, { code: "unsupported_language" }],
			[{ response_format: "xml" }, english, { param: "response_format" }],
			[{ temperature: "2" }, english, { param: "temperature" }],
			[
				{ stream: "true", response_format: "srt" },
				english,
				{ param: "stream" },
			],
			[
				{ "timestamp_granularities[]": "word" },
				english,
				{ param: "timestamp_granularities" },
			],
			[
				{ "known_speaker_names[]": "Ann" },
				english,
				{ param: "known_speaker_names" },
			],
			[
				{ chunking_strategy: '{"type":"other"}' },
				english,
				{ param: "chunking_strategy" },
			],
			[
				{ hotwords_id: "none", language: "en" },
				english,
				{ code: "list_not_found", param: "hotwords_id" },
			],
			[{}, Buffer.from("no audio at all"), { code: "unsupported_format" }],
			[{}, Buffer.alloc(0), { code: "empty_audio" }],
		] as const) {
			const answer = await post(fields as Fields, clip);
			t.ok(answer.http === 400 || answer.http === 404, JSON.stringify(error));
			t.match(answer.json?.error, { ...error, message: String });
		}
		const { status } = await fetch(`${appliance.url}/v1/models`);
		t.equal(status, 401);
	});

	t.test("models are listed, with the names that programs know", async (t) => {
		const get = async (path: string) => {
			const answer = await fetch(appliance.url + path, { headers });
			return { http: answer.status, json: JSON.parse(await answer.text()) };
		};
		const { json } = await get("/v1/models");
		const ids = json.data.map(({ id }: { id: string }) => id);
		t.ok(ids.includes("whisper-1") && ids.includes("gpt-4o-transcribe"));
		const [first] = json.data;
		t.match(first, {
			object: "model",
			created: Number,
			earshot: { translates: true },
		});
		t.match(await get(`/v1/models/${first.id}`), { http: 200, json: first });
		t.match(await get("/v1/models/other"), {
			http: 404,
			json: { error: { code: "model_not_found", param: "model" } },
		});
	});
});

interface Events {
	readonly deltas: readonly string[];
	readonly done: { readonly text: string; readonly languages?: unknown };
	readonly last: string | undefined;
}

function eventsIn(text: string): Events {
	const datas = [...text.matchAll(/^data: (.*)$/gm)].map(([, it = ""]) => it);
	const events = datas.slice(0, -1).map((it) => JSON.parse(it));
	return {
		deltas: events.flatMap((it) =>
			it.type === "transcript.text.delta" ? it.delta : [],
		),
		done: events.find((it) => it.type === "transcript.text.done"),
		last: datas.at(-1),
	};
}

function afterSilence(samples: Buffer, seconds: number): Buffer {
	return pcmWav(Buffer.concat([Buffer.alloc(seconds * 32_000), samples]));
}
