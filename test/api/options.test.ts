import t from "tap";
import { startApi } from "./running-api.js";

const api = await startApi(t);

const q = (text: string) => `lang_type=en&${text}`;
const long = "a".repeat(151);
const many = (count: number) =>
	JSON.stringify(Array.from({ length: count }, (_, index) => `w${index}`));

/** Query, status, and a part of the message. */
const refused: [query: string, status: string, message: RegExp][] = [
	["", "200001", /^lang_type is required$/],
	["lang_type=", "200001", /^lang_type is required$/],
	["lang_type=xx", "200008", /^lang_type must be one of .*, got "xx"$/],
	[
		"lang_type=zhen",
		"200008",
		/^lang_type must be one of en-US, zh-cmn-Hans-CN, ja-JP, ja-JP-en-US, got "zh-cmn-Hans-CN-en-US"$/,
	],
	["lang_type=de-DE", "200008", /^lang_type must be one of .*, got "de-DE"$/],
	["lang_type=en&lang_type=ja", "200002", /^lang_type was given 2 times$/],
	[
		q("hotwords_list=%D5%C5%C8%FD"),
		"200003",
		/^hotwords_list must be text in UTF-8$/,
	],
	[
		q("format=aiff"),
		"200006",
		/^format must be one of pcm, wav, .*, got "aiff"$/,
	],
	[
		q("field=phone"),
		"200002",
		/^field must be one of general, call-center, got "phone"$/,
	],
	[
		q("sample_rate=8000"),
		"200002",
		/^sample_rate must be 16000 with field general, got 8000$/,
	],
	[
		q("sample_rate=16000&field=call-center"),
		"200002",
		/^sample_rate must be 8000 with field call-center, got 16000$/,
	],
	[q("sample_rate=44100"), "200002", /^sample_rate must be 16000/],
	[q("sample_rate=fast"), "200002", /got "fast"$/],
	[
		q("max_sentence_silence=90"),
		"200002",
		/^max_sentence_silence must be an integer from 200 to 1200, got 90$/,
	],
	[q("max_sentence_silence=1201"), "200002", /got 1201$/],
	[q("max_sentence_silence=800.5"), "200002", /got 800\.5$/],
	[q("max_sentence_silence=abc"), "200002", /got "abc"$/],
	[q("max_sentence_silence="), "200002", /got ""$/],
	[q("max_sentence_silence=0x320"), "200002", /got "0x320"$/],
	[q("max_sentence_silence=1e3"), "200002", /got "1e3"$/],
	[
		q("enable_punctuation_prediction=yes"),
		"200002",
		/^enable_punctuation_prediction must be true or false, got "yes"$/,
	],
	[
		q("enable_inverse_text_normalization=1"),
		"200002",
		/must be true or false, got "1"$/,
	],
	[
		q("enable_modal_particle_filter="),
		"200002",
		/must be true or false, got ""$/,
	],
	[q("enable_words=on"), "200002", /^enable_words must/],
	[q("enable_save_log=0"), "200002", /^enable_save_log must/],
	[q("enable_spoken=null"), "200002", /^enable_spoken must/],
	[q("enable_dynamic_break=2"), "200002", /^enable_dynamic_break must/],
	[
		q(`hotwords_list=${encodeURIComponent(many(101))}`),
		"200002",
		/^hotwords_list must be a list of at most 100 strings, got /,
	],
	[
		q(`hotwords_list=${Array.from({ length: 101 }, () => "w").join("|")}`),
		"200002",
		/^hotwords_list must/,
	],
	[
		q("hotwords_list=[1,2]"),
		"200002",
		/^hotwords_list must be a list of at most 100 strings, got \[1,2\]$/,
	],
	[q("hotwords_list=[%22a%22"), "200002", /^hotwords_list must/],
	[
		q("hotwords_id=a.b"),
		"200002",
		/^hotwords_id must be an id of at most 150 .*, got "a\.b"$/,
	],
	[q(`hotwords_id=${long}`), "200002", /^hotwords_id must/],
	[
		q("hotwords_id=nobody"),
		"210404",
		/^hotword database nobody does not exist$/,
	],
	[
		q("hotwords_weight=0.09"),
		"200002",
		/^hotwords_weight must be a number from 0\.1 to 1, got 0\.09$/,
	],
	[q("hotwords_weight=1.1"), "200002", /^hotwords_weight must/],
	[q("hotwords_weight=NaN"), "200002", /got "NaN"$/],
	[q("correction_words_id=a||b"), "200002", /^correction_words_id must be ids/],
	[q("correction_words_id=a|b"), "211404", /does not exist/],
	[q("forbidden_words_id=a%20b"), "200002", /^forbidden_words_id must be ids/],
	[q("forbidden_words_id=a"), "212404", /does not exist/],
	[q("gain=0"), "200002", /^gain must be an integer from 1 to 20, got 0$/],
	[q("gain=21"), "200002", /^gain must/],
	[q("gain=1.5"), "200002", /^gain must/],
	[
		q("audio_url=ogg"),
		"200002",
		/^audio_url must be one of mp3, pcm, wav, got "ogg"$/,
	],
	[
		q("duration=59"),
		"200002",
		/^duration must be an integer from 60 to 600, got 59$/,
	],
	[q("duration=601"), "200002", /^duration must/],
	[q("duration=-60"), "200002", /got -60$/],
];
for (const [query, status, message] of refused) {
	t.test(
		`"${query.slice(0, 70)}" is ${status}, and no slot is taken`,
		async (t) => {
			const before = api.lane.opened.length;
			const answer = await api.recognize(query);
			t.equal(answer.status, status);
			t.match(answer.message, message);
			t.equal(
				answer.http,
				status === "200006" ? 415 : status.endsWith("404") ? 404 : 400,
			);
			t.equal(answer.data, null);
			t.equal(api.lane.opened.length, before);
		},
	);
}

/** In a query a Japanese character takes nine bytes. */
const hundredEntries = Array.from(
	{ length: 100 },
	(_, i) => `東京スカイツリー${i},とうきょうすかいつりー,固有名詞`,
);

const accepted: [query: string, expected: object][] = [
	[
		"lang_type=en-US",
		{
			language: "en-US",
			format: "pcm",
			sampleRateHz: 16000,
			gain: 1,
			durationSecondsMax: 60,
			maxSentenceSilenceMs: 800,
			punctuation: true,
			inverseTextNormalization: true,
			modalParticleFilter: true,
			words: false,
			partials: false,
		},
	],
	[
		`lang_type=ja&hotwords_list=${encodeURIComponent(hundredEntries.join("|"))}`,
		{ language: "ja-JP" },
	],
	["lang_type=en&hotwords_weight=0.30000000000000004", { language: "en-US" }],
	["lang_type=JA", { language: "ja-JP" }],
	["lang_type=zh-cn", { language: "zh-cmn-Hans-CN" }],
	["lang_type=ZH-CMN-hans-cn", { language: "zh-cmn-Hans-CN" }],
	["lang_type=en-GB", { language: "en-US" }],
	["lang_type=cmn-Hans", { language: "zh-cmn-Hans-CN" }],
	[
		"lang_type=Auto",
		{
			language: "en-US",
			languageChoices: ["en-US", "zh-cmn-Hans-CN", "ja-JP"],
		},
	],
	["lang_type=jaen", { language: "ja-JP-en-US" }],
	[
		q("field=call-center"),
		{ sampleRateHz: 8000, gain: 2, maxSentenceSilenceMs: 250 },
	],
	[
		q("field=call-center&gain=1&max_sentence_silence=800&sample_rate=8000"),
		{ sampleRateHz: 8000, gain: 1, maxSentenceSilenceMs: 800 },
	],
	[q("sample_rate=44100&format=wav"), { format: "wav", sampleRateHz: 16000 }],
	[q("sample_rate=whatever&format=WAV"), { format: "wav" }],
	[
		q("enable_words=TRUE&enable_punctuation_prediction=False"),
		{ words: true, punctuation: false },
	],
	[
		q(
			"enable_inverse_text_normalization=false&enable_modal_particle_filter=false",
		),
		{ inverseTextNormalization: false, modalParticleFilter: false },
	],
	[
		q("max_sentence_silence=200&gain=20&duration=600"),
		{ maxSentenceSilenceMs: 200, gain: 20, durationSecondsMax: 600 },
	],
	[
		q("max_sentence_silence=1200.0"),
		{ maxSentenceSilenceMs: 1200, oneText: false },
	],
	[q("field=call-center"), { oneText: true }],
	[q(`hotwords_list=${encodeURIComponent(many(100))}`), {}],
	[q("hotwords_list=a|b||%20c%20&hotwords_id=nobody"), {}],
	[q("hotwords_list=a&hotwords_list=b&hotwords_weight=0.1"), {}],
	[q("hotwords_weight=1&hotwords_list=&hotwords_id="), {}],
	[q("correction_words_id=all&forbidden_words_id=all"), {}],
	[
		q(
			"audio_url=mp3&enable_save_log=false&enable_spoken=true&enable_dynamic_break=true",
		),
		{ dynamicBreak: true, oneText: false },
	],
	[
		q("customization_id=1&vocabulary_id=2&__proto__=3&constructor=4"),
		{ language: "en-US" },
	],
	...[
		"opus",
		"mp3",
		"aac",
		"amr",
		"m4a",
		"mp4",
		"3gp",
		"flac",
		"ogg",
		"webm",
	].map((format): [string, object] => [q(`format=${format}`), { format }]),
	[q("format=mpga"), { format: "mp3" }],
	[q("format=mulaw"), { format: "mulaw", sampleRateHz: 8000 }],
	[
		q("format=pcm_s16le&sample_rate=48000"),
		{ format: "pcm_s16le", sampleRateHz: 48000 },
	],
];
for (const [query, expected] of accepted) {
	t.test(`"${query.slice(0, 70)}" is accepted`, async (t) => {
		const answer = await api.recognize(query);
		t.match(answer, { http: 200, status: "000000", message: "success" });
		t.match(api.lane.options, expected);
	});
}

t.test("the answer has an unguessable task_id and the text", async (t) => {
	const [one, two] = await Promise.all([
		api.recognize("lang_type=en"),
		api.recognize("lang_type=en&enable_words=true"),
	]);
	t.match(one.data, {
		task_id: /^[0-9a-f]{32}$/,
		result: "heard 3200 bytes",
	});
	t.notHas(one.data, { words: [] });
	t.match(two.data, {
		words: [
			{
				word: "heard",
				start_time: 10,
				end_time: 20,
				type: "normal",
				confidence: 0.9,
			},
		],
	});
	t.not(
		(one.data as { task_id: string }).task_id,
		(two.data as { task_id: string }).task_id,
	);
});

t.test(
	"unknown parameters are logged by name at debug level, without their values",
	async (t) => {
		api.log.length = 0;
		await api.recognize(q("customization_id=verysecretvalue"));
		t.match(api.log.join(""), /customization_id/);
		t.notMatch(api.log.join(""), /verysecretvalue|heard/);
	},
);
