import t from "tap";
import type { ClientMessage } from "../../runtime/api/live/client-message.js";
import { readOptions } from "../../runtime/api/live/live-options.js";
import type { Namespace } from "../../runtime/api/live/server-message.js";
import { readText } from "../../runtime/api/live/text-reader.js";
import { CodedError } from "../../runtime/errors.js";
import { startApi } from "../api/running-api.js";
import { LiveClient } from "./live-client.js";
import { setting } from "./protocol-cases.js";

const read = (options: object, namespace = "SpeechRecognizer" as const) =>
	readOptions(namespace, { lang_type: "en", ...options }, setting);

function refusal(act: () => unknown): { status?: string; message?: string } {
	try {
		act();
	} catch (thrown) {
		if (thrown instanceof CodedError) return thrown;
		throw thrown;
	}
	return {};
}

t.test("defaults", async (t) => {
	t.strictSame(read({}), {
		recognition: {
			language: "en-US",
			format: "pcm",
			sampleRateHz: 16000,
			gain: 1,
			durationSecondsMax: 60,
			oneText: true,
			maxSentenceSilenceMs: 800,
			punctuation: true,
			inverseTextNormalization: true,
			modalParticleFilter: true,
			words: false,
			partials: true,
			partialWords: false,
			dynamicBreak: false,
			streamed: true,
			completeAtDuration: true,
		},
		finalWords: false,
		connectTimeoutSeconds: 10,
		userId: undefined,
		unknown: [],
	});
	const endless = readOptions(
		"SpeechTranscriber",
		{ lang_type: "ja" },
		setting,
	);
	t.match(endless.recognition, {
		language: "ja-JP",
		durationSecondsMax: Number.POSITIVE_INFINITY,
		keepsWhole: false,
		streamed: true,
	});
	t.notOk("suffixSilenceMs" in endless.recognition);
});

t.test("every option reaches the recognition", async (t) => {
	t.match(
		read({
			field: "call-center",
			sample_rate: 8000,
			max_sentence_silence: 200,
			enable_punctuation_prediction: false,
			enable_inverse_text_normalization: false,
			enable_modal_particle_filter: false,
			enable_words: true,
			enable_intermediate_result: true,
			enable_intermediate_words: true,
			enable_dynamic_break: true,
			gain: 20,
			connect_timeout: 60,
			duration: 600,
			user_id: "😀".repeat(36),
		}),
		{
			recognition: {
				sampleRateHz: 8000,
				gain: 20,
				durationSecondsMax: 600,
				maxSentenceSilenceMs: 200,
				punctuation: false,
				inverseTextNormalization: false,
				modalParticleFilter: false,
				words: true,
				partials: true,
				partialWords: true,
				dynamicBreak: true,
			},
			connectTimeoutSeconds: 60,
			userId: "😀".repeat(36),
		},
	);
	t.match(
		read({
			enable_intermediate_result: false,
			enable_intermediate_words: true,
		}),
		{
			recognition: { partials: false, partialWords: false, words: false },
		},
	);
	t.match(
		read({ enable_intermediate_words: true }),
		{ recognition: { partialWords: true, words: true }, finalWords: false },
		"an intermediate result repeats what is final, with its words",
	);
	t.equal(read({ field: "call-center" }).recognition.maxSentenceSilenceMs, 250);
	for (const format of ["pcm", "wav", "opus", "mp3", "aac", "amr", "FLAC"])
		t.equal(read({ format }).recognition.format, format.toLowerCase());
	for (const [format, own] of [
		["mpga", "mp3"],
		["MPEG", "mp3"],
		["oga", "ogg"],
		["ogg", "ogg"],
		["webm", "webm"],
	])
		t.equal(read({ format }).recognition.format, own);
});

t.test("raw formats beside pcm have any rate", async (t) => {
	const rateHz = (options: object) => read(options).recognition.sampleRateHz;
	t.equal(rateHz({ format: "mulaw" }), 8000);
	t.equal(rateHz({ format: "alaw", field: "call-center" }), 8000);
	t.equal(rateHz({ format: "pcm_s16le" }), 16000);
	t.equal(rateHz({ format: "pcm_s16le", field: "call-center" }), 8000);
	for (const sample_rate of [4000, 24000, 44100, 384000])
		for (const format of ["pcm_s16le", "mulaw", "alaw"])
			t.equal(rateHz({ format, sample_rate }), sample_rate);
	for (const sample_rate of [3999, 384001, 8000.5])
		t.match(
			refusal(() => read({ format: "mulaw", sample_rate })),
			{
				status: "200002",
				message: /^sample_rate must be an integer from 4000 to 384000, got/,
			},
		);
	t.match(
		refusal(() => read({ format: "pcm", sample_rate: 24000 })),
		{ status: "200002", message: /^sample_rate must be 16000 with field/ },
	);
});

t.test(
	"max_suffix_silence: off, at the end of speech, or seconds",
	async (t) => {
		const silence = (seconds?: number) =>
			read({ max_suffix_silence: seconds }).recognition.suffixSilenceMs;
		t.same([undefined, 0, -1, 0.5, 10].map(silence), [
			undefined,
			undefined,
			800,
			500,
			10_000,
		]);
	},
);

t.test(
	"a request for sentence breaks gets sentences, others one text",
	async (t) => {
		const requested = { max_sentence_silence: 300, max_suffix_silence: -1 };
		t.match(read(requested).recognition, {
			oneText: false,
			suffixSilenceMs: 0,
		});
		t.match(read({ enable_dynamic_break: true }).recognition, {
			oneText: false,
		});
		t.match(read({}).recognition, { oneText: true });
	},
);

t.test("null is absent, and unknown keys are ignored", async (t) => {
	const nulls = Object.fromEntries(
		[
			"format",
			"field",
			"gain",
			"duration",
			"user_id",
			"max_suffix_silence",
		].map((name) => [name, null]),
	);
	t.strictSame(read(nulls), read({}));
	const odd = { customization_id: 1, vocabulary_id: [], constructor: 2 };
	t.same(read(odd).unknown, Object.keys(odd));
	t.strictSame(read(odd).recognition, read({}).recognition);
});

t.test("a transcriber may wait for wake words", async (t) => {
	const wakeOf = (
		payload: object,
		namespace: Namespace = "SpeechTranscriber",
	) =>
		readOptions(namespace, { lang_type: "ja", ...payload }, setting).recognition
			.wake;
	t.equal(wakeOf({}), undefined);
	t.equal(wakeOf({ wake_words: [] }), undefined);
	t.same(
		wakeOf({ wake_words: ["小智小智", "你好小明:0.4"], wake_seconds: 3 }),
		{
			words: [
				{ phrase: "小智小智", threshold: 0.4 },
				{ phrase: "你好小明", threshold: 0.4 },
			],
			seconds: 3,
		},
	);
	t.match(
		refusal(() => wakeOf({ wake_words: ["hello"] })),
		{ status: "200002", message: /^wake_words must be Chinese phrases/ },
	);
	t.equal(wakeOf({ wake_words: ["小智小智"] }, "SpeechRecognizer"), undefined);
});

/** Each option: an invalid value, and the end of the message. */
const integers = (...more: unknown[]) => ["800", 1.5, true, [], {}, ...more];
const wrong: Record<string, readonly unknown[]> = {
	lang_type: [1, true, [], {}],
	format: [1, [], {}, false],
	field: [1, "phone", [], {}],
	sample_rate: [8000, 44_100, "16000", true, {}],
	max_sentence_silence: integers(199, 1201),
	enable_punctuation_prediction: ["true", 1, 0, [], {}],
	enable_inverse_text_normalization: ["true", 1, [], {}],
	enable_modal_particle_filter: ["false", 0, [], {}],
	enable_words: ["true", 1, [], {}],
	enable_intermediate_result: ["true", 1, [], {}],
	enable_intermediate_words: ["true", 1, [], {}],
	enable_dynamic_break: ["true", 1, [], {}],
	enable_save_log: ["true", 1, [], {}],
	enable_spoken: ["true", 1, [], {}],
	hotwords_list: [
		"[a",
		"w|".repeat(101),
		"[1]",
		1,
		{},
		[1],
		[[]],
		Array(101).fill("w"),
	],
	hotwords_id: [1, "", "a b", "x".repeat(151), [], {}],
	hotwords_weight: ["0.4", 0.09, 1.01, true, [], {}],
	correction_words_id: [1, "", "a||b", [], {}],
	forbidden_words_id: [1, "|", [], {}],
	gain: integers(0, 21),
	connect_timeout: integers(4, 61),
	max_suffix_silence: ["1", -0.5, -2, 10.1, true, [], {}],
	user_id: [1, "x".repeat(37), true, [], {}],
	duration: integers(59, 601),
	audio_url: [1, "ogg", true, [], {}],
};

t.test("every option of every wrong type or range is reported", async (t) => {
	for (const [name, values] of Object.entries(wrong))
		for (const value of values)
			t.match(
				refusal(() => read({ [name]: value })),
				{ status: "200002", message: new RegExp(`^${name} must be .*, got `) },
				`${name}: ${JSON.stringify(value)}`,
			);
	const textually: [object, string, RegExp][] = [
		[{ lang_type: null }, "200001", /^lang_type is required$/],
		[{ lang_type: "xx" }, "200008", /^lang_type must be one of/],
		[
			{ lang_type: "zh" },
			"200008",
			/^lang_type must be one of en-US, ja-JP, got/,
		],
		[{ format: "aiff" }, "200006", /^format must be one of pcm, wav, opus/],
		[{ format: "m4a" }, "200006", /^format must be/],
		[{ hotwords_id: "h" }, "210404", /h does not exist/],
		[{ correction_words_id: "c|d" }, "211404", /c does not exist/],
		[{ forbidden_words_id: "f" }, "212404", /f does not exist/],
		[
			{ max_suffix_silence: 11 },
			"200002",
			/must be -1 or a number from 0 to 10, got 11$/,
		],
	];
	for (const [options, status, message] of textually)
		t.match(
			refusal(() => read(options)),
			{ status, message },
		);
	t.ok(read({ hotwords_id: "h", hotwords_list: ["w"] }), "not looked at then");
	t.ok(read({ correction_words_id: "all", forbidden_words_id: "all" }));
	for (const text of ["alpha|beta", ' ["alpha","beta"]', "|alpha| beta |"])
		t.same(
			read({ hotwords_list: text }).recognition.hotwords?.list.entries,
			["alpha", "beta"],
			`a list in a text: ${text}`,
		);
	t.equal(read({ hotwords_list: "" }).recognition.hotwords, undefined);
	t.ok(
		readOptions("SpeechTranscriber", { lang_type: "en", duration: 5 }, setting),
		"a transcriber knows no duration",
	);
});

t.test("nested values are only a wrong value, up to a depth", async (t) => {
	const nested = (depth: number) =>
		`{"header":{"namespace":"SpeechRecognizer","name":"StartRecognition"},"payload":{"lang_type":"en","gain":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
	const reading = (depth: number) =>
		new Promise<ClientMessage>((take, refuse) => {
			void readText(nested(depth), take, refuse);
		});
	await t.rejects(reading(100_000), {
		status: "200003",
		message: "message is nested deeper than 100 levels",
	});
	const message = await reading(98);
	t.ok(message.is === "start");
	if (message.is === "start")
		t.match(
			refusal(() => readOptions("SpeechRecognizer", message.payload, setting)),
			{ status: "200002", message: /^gain must be/ },
		);
});

t.test(
	"over the socket: TaskFailed with the name of the option, then 1008",
	async (t) => {
		const api = await startApi(t);
		await Promise.all(
			Object.entries(wrong).map(async ([name, values]) => {
				const client = await LiveClient.open(api.url, { token: api.token });
				client.start({ [name]: values[0] });
				t.match((await client.receive("TaskFailed")).header, {
					namespace: "SpeechRecognizer",
					status: "200002",
					status_text: new RegExp(`^${name} must be`),
					app_id: "tester",
				});
				t.equal(await client.closed, 1008, name);
			}),
		);
		t.equal(api.lane.opened.length, 0);
		t.equal(await api.sessions(), 0);
	},
);
