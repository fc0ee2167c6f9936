/** Realtime sessions over a real socket, with a lane that does as the test says (docs/realtime.md). */
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { startApi } from "../api/running-api.js";
import { until } from "../fixtures/eventually.js";
import { madeUtterance } from "../session/made-utterances.js";
import { RealtimeClient, transcription } from "./realtime-client.js";

const api = await startApi(t);
const { lane, token, url } = api;

/** A second of the usual format. */
const second = 48_000;

async function client(
	options: Parameters<typeof RealtimeClient.open>[1] = {},
): Promise<RealtimeClient> {
	lane.behaviour = { holdResult: true };
	lane.opened.length = 0;
	return RealtimeClient.open(url, { token, ...options });
}

const utterance = (index: number, text: string, endMs = 900) =>
	madeUtterance(text, { index, beginMs: 400, endMs });

const ofItem = [
	"input_audio_buffer.committed",
	"conversation.item.added",
	"conversation.item.done",
];

t.test("the server speaks first, with the values in force", async (t) => {
	const it = await client();
	const { session } = await it.receive("session.created");
	t.match(session, {
		id: /^sess_/,
		object: "realtime.transcription_session",
		type: "transcription",
		audio: {
			input: {
				format: { type: "audio/pcm", rate: 24_000 },
				transcription: { model: "whisper-1", language: null },
				turn_detection: {
					type: "server_vad",
					threshold: 0.5,
					prefix_padding_ms: 300,
					silence_duration_ms: 500,
				},
				noise_reduction: null,
			},
		},
		include: null,
	});
	it.socket.close();
});

t.test("a sentence that voice activity finds", async (t) => {
	const it = await client();
	await it.receive("session.created");
	it.append(second);
	await until(() => lane.opened.length === 1);
	t.match(lane.options, {
		format: "pcm_s16le",
		sampleRateHz: 24_000,
		keepsWhole: false,
		maxSentenceSilenceMs: 500,
		stablePartials: true,
		partials: true,
	});
	lane.last.emit({ is: "speech-begin", index: 1, atMs: 400 });
	for (const [text, stable] of [
		["Turn", 0],
		["Turn it", 4],
		["Turn it of", 7],
		["Turn in", 4],
	] as const)
		lane.last.emit({
			is: "partial",
			utterance: utterance(1, text),
			stable,
			audioMs: 800,
		});
	lane.last.emit({
		is: "final",
		utterance: utterance(1, "Turn it off."),
		audioMs: 1400,
	});
	const { item_id, usage, transcript } = await it.completed();
	t.equal(transcript, "Turn it off.");
	t.same(usage, { type: "duration", seconds: 0.5 });
	t.same(it.types, [
		"session.created",
		"input_audio_buffer.speech_started",
		`${transcription}.delta`,
		`${transcription}.delta`,
		`${transcription}.delta`,
		"input_audio_buffer.speech_stopped",
		...ofItem,
		`${transcription}.completed`,
	]);
	t.equal(it.deltas, "Turn it off.");
	t.match(it.events[1], { audio_start_ms: 100, item_id });
	t.match(it.events[5], { audio_end_ms: 900, item_id });
	t.match(it.events[6], { previous_item_id: null, item_id });
	const ids = it.events.map((event) => event.event_id);
	t.equal(new Set(ids).size, ids.length, "each event has an id of its own");
	lane.last.emit({ is: "speech-begin", index: 2, atMs: 1500 });
	lane.last.emit({
		is: "final",
		utterance: utterance(2, "", 1800),
		audioMs: 2000,
	});
	const empty = await it.completed(2);
	t.equal(empty.transcript, "");
	const committed = await it.receive("input_audio_buffer.committed", 2);
	t.equal(committed.previous_item_id, item_id);
	it.socket.close();
});

t.test("a sentence in a language that was identified", async (t) => {
	const it = await client();
	await it.receive("session.created");
	it.append(second);
	await until(() => lane.opened.length === 1);
	t.match(lane.options, { languageChoices: Array });
	lane.last.emit({ is: "speech-begin", index: 1, atMs: 400 });
	lane.last.emit({
		is: "final",
		utterance: utterance(1, "つけて。"),
		audioMs: 1400,
		language: "ja-JP",
	});
	t.same((await it.completed()).languages, [{ code: "ja" }]);
	it.socket.close();
});

t.test(
	"what a turn sends is joined as in the language that was identified",
	async (t) => {
		const it = await client();
		it.update({ turn_detection: null });
		await it.receive("session.updated");
		it.append(second);
		await until(() => lane.opened.length === 1);
		const language = "ja-JP" as const;
		for (const [index, text] of [
			[1, "つけて。"],
			[2, "消して。"],
		] as const)
			lane.last.emit({
				is: "final",
				utterance: utterance(index, text),
				audioMs: 1400,
				language,
			});
		lane.last.emit({
			is: "partial",
			utterance: utterance(3, "開けて"),
			stable: 3,
			audioMs: 1800,
			language,
		});
		await it.receive(`${transcription}.delta`, 3);
		t.equal(it.deltas, "つけて。消して。開けて");
		it.socket.close();
	},
);

t.test("the client commits", async (t) => {
	const it = await client();
	it.update({ turn_detection: null });
	const { session } = await it.receive("session.updated");
	t.match(session, { audio: { input: { turn_detection: null } } });
	it.commit();
	t.match((await it.receive("error")).error, {
		code: "input_audio_buffer_commit_empty",
	});
	it.append(second);
	await until(() => lane.opened.length === 1);
	t.match(lane.options, { oneText: true });
	it.append(second);
	it.commit();
	await it.receive("input_audio_buffer.committed");
	await until(() => lane.last.finished);
	it.append(24_014); // 500.29 ms
	it.commit();
	await it.receive("input_audio_buffer.committed", 2);
	t.equal(lane.opened.length, 1, "one slot at a time");
	const first = lane.last;
	first.release();
	t.match(await it.completed(), {
		transcript: "heard 96000 bytes",
		usage: { type: "duration", seconds: 2 },
	});
	await until(() => lane.opened.length === 2 && lane.last.finished);
	lane.last.release();
	t.match(await it.completed(2), {
		transcript: "heard 24014 bytes",
		usage: { type: "duration", seconds: 0.5 },
	});
	t.notOk(it.types.includes("input_audio_buffer.speech_started"));
	it.socket.close();
});

t.test(
	"what is committed comes after sentences that were found before",
	async (t) => {
		const it = await client();
		it.append(second);
		await until(() => lane.opened.length === 1);
		const found = lane.last;
		found.emit({ is: "speech-begin", index: 1, atMs: 400 });
		const begun = await it.receive("input_audio_buffer.speech_started");
		it.update({ turn_detection: null });
		it.append(second);
		it.commit();
		it.send("input_audio_buffer.clear", {});
		it.send("response.create", {});
		await it.receive("error"); // all of it has been read
		await until(() => found.finished);
		found.emit({
			is: "final",
			utterance: utterance(1, "Yes."),
			audioMs: 1000,
		});
		found.release();
		await until(() => lane.opened.length === 2 && lane.last.finished);
		lane.last.release();
		const sentence = await it.completed();
		t.match(sentence, { transcript: "Yes.", item_id: begun.item_id });
		const own = await it.completed(2);
		t.match(own, { transcript: "heard 48000 bytes" });
		const { types } = it;
		t.ok(
			types.indexOf("input_audio_buffer.cleared") >
				types.lastIndexOf("input_audio_buffer.committed"),
		);
		const committed = "input_audio_buffer.committed";
		t.match(
			it.events.filter(({ type }) => type === committed),
			[
				{ item_id: sentence.item_id, previous_item_id: null },
				{ item_id: own.item_id, previous_item_id: sentence.item_id },
			],
		);
		it.socket.close();
	},
);

t.test("a commit under voice activity is always answered", async (t) => {
	const it = await client();
	it.commit();
	t.equal((await it.completed()).transcript, "", "nothing was sent");
	it.append(second);
	it.commit();
	await until(() => lane.last.finished);
	lane.last.release();
	t.equal((await it.completed(2)).transcript, "", "there was no speech");
	it.append(second);
	it.commit();
	await until(() => lane.opened.length === 2 && lane.last.finished);
	lane.last.emit({ is: "speech-begin", index: 1, atMs: 100 });
	lane.last.emit({
		is: "final",
		utterance: utterance(1, "Yes."),
		audioMs: 1000,
	});
	lane.last.release();
	t.equal((await it.completed(3)).transcript, "Yes.");
	it.update({});
	await it.receive("session.updated");
	t.equal(it.types.filter((type) => type.endsWith("completed")).length, 3);
	it.socket.close();
});

t.test(
	"the beta dialect, by header, subprotocol and first update",
	async (t) => {
		const ways = [
			{ headers: { "OpenAI-Beta": "realtime=v1" } },
			{ protocols: ["realtime", "openai-beta.realtime-v1"] },
			{},
		];
		for (const [at, way] of ways.entries()) {
			const it = await client(way);
			const isLast = at === ways.length - 1;
			await it.receive(
				isLast ? "session.created" : "transcription_session.created",
			);
			t.equal(it.socket.protocol, way.protocols ? "realtime" : "");
			it.send("transcription_session.update", {
				session: {
					input_audio_format: "g711_ulaw",
					input_audio_transcription: { model: "whisper-1", language: "en" },
					input_audio_noise_reduction: { type: "near_field" },
					turn_detection: { type: "semantic_vad" },
					include: ["item.input_audio_transcription.logprobs"],
				},
			});
			const { session } = await it.receive("transcription_session.updated");
			t.match(session, {
				input_audio_format: "g711_ulaw",
				input_audio_transcription: { model: "whisper-1", language: "en" },
				input_audio_noise_reduction: null,
				turn_detection: { type: "semantic_vad", eagerness: "auto" },
				include: ["item.input_audio_transcription.logprobs"],
			});
			it.append(800);
			await until(() => lane.opened.length === 1);
			t.match(lane.options, {
				format: "mulaw",
				sampleRateHz: 8000,
				language: "en-US",
				dynamicBreak: true,
				maxSentenceSilenceMs: 800,
				words: true,
			});
			it.commit();
			await until(() => lane.last.finished);
			lane.last.release();
			const completed = await it.completed();
			t.same(completed.logprobs, []);
			t.ok(it.types.includes("conversation.item.created"));
			t.notOk(it.types.includes("conversation.item.added"));
			it.socket.close();
		}
	},
);

t.test("session.update in the form of the dialect before", async (t) => {
	const it = await client({ headers: { "OpenAI-Beta": "realtime=v1" } });
	it.send("session.update", {
		session: {
			modalities: ["text"],
			input_audio_format: "g711_alaw",
			input_audio_transcription: { model: "whisper-1", language: "ja" },
			turn_detection: null,
		},
	});
	const { session } = await it.receive("transcription_session.updated");
	t.match(session, {
		input_audio_format: "g711_alaw",
		input_audio_transcription: { language: "ja" },
		turn_detection: null,
	});
	it.socket.close();
});

t.test("what updates change, clamp and leave", async (t) => {
	const it = await client();
	const updated = async (nth: number) =>
		(
			(await it.receive("session.updated", nth)).session as {
				audio: { input: Record<string, unknown> };
			}
		).audio.input;
	it.update({
		format: { type: "audio/pcm", rate: 16_000 },
		transcription: {
			model: "gpt-4o-transcribe",
			language: "ja",
			prompt: "Anna, Ben",
			keywords: ["earshot"],
			delay: "high",
		},
		turn_detection: {
			type: "server_vad",
			threshold: 7,
			silence_duration_ms: 5000,
			prefix_padding_ms: -1,
			create_response: true,
			idle_timeout_ms: 1,
		},
		noise_reduction: { type: "far_field" },
	});
	t.match(await updated(1), {
		format: { rate: 16_000 },
		transcription: { language: "ja", delay: "high", keywords: ["earshot"] },
		turn_detection: {
			threshold: 1,
			silence_duration_ms: 1200,
			prefix_padding_ms: 0,
		},
		noise_reduction: null,
	});
	it.update({ turn_detection: { silence_duration_ms: 1 } });
	t.match(await updated(2), {
		format: { rate: 16_000 },
		turn_detection: { threshold: 1, silence_duration_ms: 200 },
	});
	it.update({ transcription: null, format: null });
	t.match(await updated(3), {
		format: { rate: 24_000 },
		transcription: { model: "whisper-1", language: null, delay: "low" },
	});
	it.update({
		format: { type: "audio/pcmu" },
		transcription: { language: "de" },
	});
	t.match(await it.receive("error"), {
		error: { code: "unsupported_language", param: "language", event_id: null },
	});
	it.update({});
	t.match(
		await updated(4),
		{ format: { type: "audio/pcm" } },
		"all or nothing",
	);
	it.socket.close();
});

t.test("requests of conversations and mistakes go on", async (t) => {
	const it = await client();
	const cases: readonly [string, object, string][] = [
		["response.create", {}, "unsupported_event"],
		["conversation.item.create", { item: {} }, "unsupported_event"],
		["session.update", {}, "missing_required_parameter"],
		["session.update", { session: { type: "realtime" } }, "invalid_value"],
		["input_audio_buffer.append", {}, "missing_required_parameter"],
		["input_audio_buffer.append", { audio: "a?c=" }, "invalid_value"],
		["input_audio_buffer.append", { audio: "a" }, "invalid_value"],
	];
	for (const [at, [type, more, code]] of cases.entries()) {
		it.send(type, { event_id: `mine-${at}`, ...more });
		const { error } = await it.receive("error", at + 1);
		t.match(error, { code, event_id: `mine-${at}`, message: String }, type);
	}
	it.socket.send("{");
	it.socket.send("[]");
	it.socket.send(Buffer.from("binary"), { binary: true });
	it.send("something.new", { any: "thing" });
	it.send("input_audio_buffer.clear");
	await it.receive("input_audio_buffer.cleared");
	t.equal(it.types.filter((type) => type === "error").length, 10);
	it.socket.close();
});

t.test(
	"a failed recognition fails its item, and the session goes on",
	async (t) => {
		const it = await client();
		it.append(second);
		await until(() => lane.opened.length === 1);
		lane.last.emit({ is: "speech-begin", index: 1, atMs: 400 });
		await it.receive("input_audio_buffer.speech_started");
		lane.last.fail(new CodedError("100003"));
		t.match(await it.receive(`${transcription}.failed`), {
			error: { type: "server_error", code: "internal_error" },
		});
		lane.behaviour = { refuse: new CodedError("100004"), holdResult: true };
		it.append(second);
		t.match(await it.receive(`${transcription}.failed`, 2), {
			error: { code: "overloaded" },
		});
		t.equal(it.types.includes("error"), false);
		it.socket.close();
	},
);

t.test(
	"a refusal after more audio than may wait: the session goes on",
	async (t) => {
		const it = await client();
		lane.behaviour = { holdSlot: true };
		it.append(400_000);
		await until(() => lane.waiting === 1);
		it.update({}); // not read before the refusal: the socket is held
		await it.receive("session.created");
		lane.refuseWaiting(new CodedError("100004"));
		t.match(await it.receive(`${transcription}.failed`), {
			error: { code: "overloaded" },
		});
		await it.receive("session.updated");
		it.socket.close();
	},
);

t.test(
	"a refusal of what was committed: what is said next is not dropped",
	async (t) => {
		const it = await client();
		lane.behaviour = { holdSlot: true };
		it.append(second);
		it.commit();
		it.append(second);
		await until(() => lane.waiting === 1);
		it.update({});
		await it.receive("session.updated");
		lane.refuseWaiting(new CodedError("100004"));
		await it.receive(`${transcription}.failed`);
		await until(() => lane.waiting === 1);
		it.append(second);
		it.update({});
		await it.receive("session.updated", 2);
		lane.admit();
		await until(() => lane.opened.length === 1);
		t.equal(lane.last.bytes, 2 * second);
		it.socket.close();
	},
);

t.test(
	"audio after a cleared one waits for the recognition before both",
	async (t) => {
		const it = await client();
		it.update({ turn_detection: null });
		it.append(second);
		it.commit();
		await until(() => lane.opened.length === 1 && lane.last.finished);
		it.append(second);
		it.send("input_audio_buffer.clear");
		await it.receive("input_audio_buffer.cleared");
		it.append(second);
		it.update({});
		await it.receive("session.updated", 2);
		t.equal(lane.opened.length, 1, "one slot at a time");
		lane.last.release();
		await until(() => lane.opened.length === 2);
		it.socket.close();
	},
);

t.test("clear drops what was not committed", async (t) => {
	const it = await client();
	it.update({ turn_detection: null });
	it.append(second);
	await until(() => lane.opened.length === 1);
	it.send("input_audio_buffer.clear");
	await it.receive("input_audio_buffer.cleared");
	await lane.last.cancelled;
	it.commit();
	await it.receive("error");
	it.append(second);
	it.commit();
	await until(() => lane.opened.length === 2 && lane.last.finished);
	lane.last.release();
	t.equal((await it.completed()).transcript, "heard 48000 bytes");
	it.socket.close();
});

t.test("another format or language counts from the next item", async (t) => {
	const it = await client();
	it.append(second);
	await until(() => lane.opened.length === 1);
	lane.last.emit({ is: "speech-begin", index: 1, atMs: 400 });
	await it.receive("input_audio_buffer.speech_started");
	it.update({ transcription: { language: "ja" } });
	await it.receive("session.updated");
	t.notOk(lane.last.finished, "a sentence is open");
	lane.last.emit({
		is: "final",
		utterance: utterance(1, "Yes."),
		audioMs: 1000,
	});
	await until(() => lane.last.finished);
	lane.last.release();
	it.append(second);
	await until(() => lane.opened.length === 2);
	t.match(lane.options, { language: "ja-JP" });
	it.update({ format: { type: "audio/pcma" } });
	await until(() => lane.last.finished);
	lane.last.release();
	it.append(second);
	await until(() => lane.opened.length === 3);
	t.match(lane.options, { format: "alaw", sampleRateHz: 8000 });
	it.socket.close();
	await lane.last.cancelled;
});

t.test(
	"strict models: another one in the address ends the session",
	async (t) => {
		const strict = await startApi(t, {
			endpoints: { strict_models: true },
			models: [
				{
					name: "whisper-base",
					installedSeconds: 1,
					source: "a test",
					languages: ["en-US"],
					streaming: false,
					translates: false,
					active: true,
					serves: ["en-US"],
					megabytes: 1,
				},
			],
		});
		const { url, token } = strict;
		const open = (model: string) =>
			RealtimeClient.open(url, {
				token,
				query: `?intent=transcription&model=${model}`,
			});
		const refused = await open("gpt-9");
		refused.update({ transcription: { language: "en" } });
		t.equal(await refused.closed, 1008);
		t.match(refused.events, [
			{ type: "error", error: { code: "model_not_found", param: "model" } },
		]);
		t.equal(refused.events.length, 1);
		const it = await open("gpt-4o-transcribe");
		it.update({ transcription: { language: "en" } });
		t.match(await it.receive("session.updated"), {
			session: {
				audio: {
					input: {
						transcription: { model: "gpt-4o-transcribe", language: "en" },
					},
				},
			},
		});
		t.same(it.types, ["session.created", "session.updated"]);
		it.socket.close();
	},
);

t.test("strict models: a name that is not installed is an error", async (t) => {
	const strict = await startApi(t, { endpoints: { strict_models: true } });
	const it = await RealtimeClient.open(strict.url, { token: strict.token });
	it.update({ transcription: { model: "gpt-9", language: "ja" } });
	t.match(await it.receive("error"), {
		error: { code: "model_not_found", param: "model" },
	});
	it.update({ transcription: { language: "en" } });
	const { session } = await it.receive("session.updated");
	t.match(session, {
		audio: { input: { transcription: { model: "whisper-1" } } },
	});
	// as conversations of the dialect before
	it.send("session.update", {
		session: { input_audio_transcription: { model: "gpt-9" } },
	});
	t.match(await it.receive("error"), { error: { code: "model_not_found" } });
	it.socket.close();
	for (const [path, body] of [
		[
			"client_secrets",
			{ session: { audio: { input: { transcription: { model: "gpt-9" } } } } },
		],
		[
			"transcription_sessions",
			{ input_audio_transcription: { model: "gpt-9" } },
		],
	] as const) {
		const answer = await fetch(`${strict.url}/v1/realtime/${path}`, {
			method: "POST",
			headers: { Authorization: `Bearer ${strict.token}` },
			body: JSON.stringify(body),
		});
		t.equal(answer.status, 404, path);
		t.match(await answer.json(), { error: { code: "model_not_found" } });
	}
});
