/** The messages of a session: which, in what order, and with what results. */
import t from "tap";
import type { Event } from "../../runtime/api/live/protocol-states.js";
import {
	audio,
	completed,
	final,
	late,
	noAudio,
	opened,
	partial,
	ping,
	run,
	setting,
	speaker,
	speechBegin,
	start,
	stop,
} from "./protocol-cases.js";

const transcriber = "SpeechTranscriber" as const;

const names = (events_: readonly Event[]) =>
	run(events_).sent.map((it) => it.name);

t.test("a stop is always answered", async (t) => {
	t.same(names([start(), opened, stop()]), [
		"RecognitionStarted",
		"RecognitionCompleted",
	]);
	t.same(names([start(), stop(), opened]), [
		"RecognitionStarted",
		"RecognitionCompleted",
	]);
	t.same(names([start(), audio, stop(), opened, completed()]), [
		"RecognitionStarted",
		"RecognitionCompleted",
	]);
	t.same(
		names([start(), opened, noAudio, stop()]).at(-1),
		"RecognitionCompleted",
	);
	t.same(names([start(transcriber), opened, stop(transcriber)]), [
		"TranscriptionStarted",
		"TranscriptionCompleted",
	]);
	t.same(names([stop()]), ["TaskFailed"]);
});

t.test(
	"an exceeded duration is reported in the header of Completed",
	async (t) => {
		const { sent } = run([start(), opened, audio, completed("duration")]);
		t.match(sent.at(-1), {
			name: "RecognitionCompleted",
			trouble: { status: "230003" },
			result: { text: "all of it" },
		});
		t.notOk(
			run([start(), opened, audio, completed("suffix-silence")]).sent.at(-1)
				?.trouble,
		);
	},
);

t.test(
	"a recognizer's results are the whole text, joined by its language",
	async (t) => {
		const texts = (lang_type: string, first: string, second: string) => {
			const events_ = [
				speechBegin(1),
				partial(1, first, 1500),
				final(1, first, 2000),
				speechBegin(2),
				partial(2, second, 1900),
				final(2, `${second}.`, 4000),
			];
			const begin = start("SpeechRecognizer", { lang_type });
			return run([begin, opened, audio, ...events_])
				.sent.slice(1)
				.map(({ result }) => [result?.index, result?.text, result?.beginMs]);
		};
		t.same(texts("en-US", "one", "two"), [
			[1, "one", 1000],
			[1, "one two", 1000],
			[1, "one two.", 1000],
		]);
		t.same(
			texts("ja-JP", "一つ", "two").map(([, text]) => text),
			["一つ", "一つtwo", "一つtwo."],
		);
	},
);

t.test("a recognizer's sentence does not begin at a noise", async (t) => {
	const { sent } = run([
		start("SpeechRecognizer", { lang_type: "en-US" }),
		opened,
		audio,
		speechBegin(1),
		partial(1, "um"),
		final(1, ""),
		speechBegin(2),
		partial(2, "two"),
		final(2, "two."),
		speechBegin(3),
		final(3, ""),
		completed(),
	]);
	t.same(
		sent.slice(1).map(({ result }) => [result?.text, result?.beginMs]),
		[
			["um", 1000],
			["", 1000],
			["two", 2000],
			["two.", 2000],
			["all of it", 2000],
		],
	);
});

t.test("without intermediate results there are none", async (t) => {
	const payload = { lang_type: "en-US", enable_intermediate_result: false };
	const speech = [speechBegin(1), partial(1, "a"), final(1, "ab"), completed()];
	t.same(
		names([start("SpeechRecognizer", payload), opened, audio, ...speech]),
		["RecognitionStarted", "RecognitionCompleted"],
	);
	t.same(names([start(transcriber, payload), opened, audio, ...speech]), [
		"TranscriptionStarted",
		"SentenceBegin",
		"SentenceEnd",
		"TranscriptionCompleted",
	]);
});

t.test(
	"a transcriber's results belong to one sentence, with its index",
	async (t) => {
		const { sent } = run([
			start(transcriber),
			opened,
			audio,
			speechBegin(1),
			partial(1, "on"),
			speaker,
			partial(1, "one"),
			final(1, "one.", 2500),
			speechBegin(2),
			partial(2, "two", 3000),
			final(2, "two.", 4000),
			stop(transcriber),
			completed(),
		]);
		t.same(
			sent.map(({ name, result }) => [
				name,
				result?.index,
				result?.text,
				result?.timeMs,
				result?.beginMs,
				result?.speakerId,
			]),
			[
				["TranscriptionStarted", 0, "", 0, 0, null],
				["SentenceBegin", 1, "", 1000, 1000, null],
				["TranscriptionResultChanged", 1, "on", 1000, 1000, null],
				["TranscriptionResultChanged", 1, "one", 1000, 1000, "anna"],
				["SentenceEnd", 1, "one.", 2500, 1000, "anna"],
				["SentenceBegin", 2, "", 2500, 2000, "anna"],
				["TranscriptionResultChanged", 2, "two", 3000, 2000, "anna"],
				["SentenceEnd", 2, "two.", 4000, 2000, "anna"],
				["TranscriptionCompleted", 2, "", 5000, 2000, "anna"],
			],
		);
	},
);

t.test(
	"messages of the other namespace are refused in a session",
	async (t) => {
		const only = { ...setting, namespaces: [transcriber] as const };
		t.match(run([start()], only).sent, [
			{
				namespace: transcriber,
				name: "TaskFailed",
				trouble: { status: "230001", text: /does not serve SpeechRecognizer/ },
			},
		]);
		t.match(run([start(transcriber), opened, stop()]).sent.at(-1), {
			namespace: transcriber,
			trouble: { text: /must be SpeechTranscriber in this session/ },
		});
	},
);

t.test("the wait for audio is limited by connect_timeout", async (t) => {
	const payload = { lang_type: "en", connect_timeout: 7 };
	const wait = { do: "await-client", seconds: 7 };
	const begun = [start("SpeechRecognizer", payload), opened];
	t.match(run(begun).effects, [{ do: "send" }, wait]);
	t.match(run([...begun, audio]).effects, [
		{ do: "write" },
		{ do: "await-longer", seconds: (3 / 32_000) * 100 },
	]);
	t.same(run([...begun, noAudio]).effects, [], "no bytes are no audio");
	t.match(run([...begun, ping]).effects, [{ message: { name: "pong" } }]);
	t.match(run([...begun, audio, stop()]).effects, [
		{ do: "await-nothing" },
		{ do: "finish" },
	]);
	t.match(run([...begun, late]).sent.at(-1)?.trouble, {
		status: "230002",
		text: "no audio for 7 seconds (connect_timeout)",
	});
	const slow: Event = { is: "late", slow: true };
	t.match(run([...begun, audio, slow]).sent.at(-1)?.trouble, {
		status: "230002",
		text: /less than a hundredth of real time for 7 seconds/,
	});
	t.match(run([late]).sent.at(-1)?.trouble?.text, /no StartRecognition for 10/);
});

t.test("words are in the results that are to have them", (t) => {
	const results = (wanted: Readonly<Record<string, unknown>>) =>
		run([
			start("SpeechRecognizer", { lang_type: "en-US", ...wanted }),
			opened,
			audio,
			speechBegin(1),
			final(1, "one", 2000),
			speechBegin(2),
			partial(2, "two", 3000),
			completed(),
		])
			.sent.filter(({ name }) => name !== "RecognitionStarted")
			.map(({ result }) => result?.words);
	t.same(results({}), [null, null, null]);
	t.same(results({ enable_intermediate_words: true }), [[], [], null]);
	t.same(results({ enable_words: true }), [null, null, []]);
	t.end();
});
