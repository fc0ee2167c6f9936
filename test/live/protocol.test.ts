import t from "tap";
import type { Event, State } from "../../runtime/api/live/protocol-states.js";
import {
	audio,
	badMessage,
	completed,
	endSentence,
	failed,
	final,
	gone,
	late,
	noAudio,
	opened,
	partial,
	ping,
	refused,
	run,
	setting,
	shutdown,
	speaker,
	speechBegin,
	start,
	stop,
	type Trace,
	unread,
} from "./protocol-cases.js";

const transcriber = "SpeechTranscriber" as const;

/** A way to reach each state. */
const ways: Record<string, readonly Event[]> = {
	waiting: [],
	starting: [start()],
	"starting, heard": [start(), audio],
	"starting, stopped": [start(), audio, stop()],
	"starting, stopped without audio": [start(), stop()],
	streaming: [start(), opened],
	"streaming, heard": [start(), opened, audio],
	stopping: [start(), opened, audio, stop()],
	over: [start(), opened, audio, stop(), completed()],
	transcribing: [start(transcriber), opened, audio],
	"transcribing, stopped": [
		start(transcriber),
		opened,
		audio,
		stop(transcriber),
	],
};

const events: Record<string, Event> = {
	start: start(),
	"start transcriber": start(transcriber),
	"start with a bad option": start("SpeechRecognizer", { lang_type: 7 }),
	stop: stop(),
	"stop transcriber": stop(transcriber),
	ping,
	"end sentence": endSentence,
	speaker,
	audio,
	"empty audio": noAudio,
	"bad message": badMessage,
	opened,
	refused,
	begin: speechBegin(1),
	partial: partial(1, "hel"),
	final: final(1, "hello"),
	completed: completed(),
	"completed by duration": completed("duration"),
	"failed: internal": failed("100003"),
	"failed: no audio": failed("200007"),
	"failed: not this format": failed("200006"),
	late,
	unread,
	shutdown,
	gone,
};

/** Result of each pair: the next state; "!" and the status of TaskFailed; "." for no effect. */
const expected: Record<string, Record<string, string>> = {
	waiting: {
		start: "starting",
		"start transcriber": "starting",
		"start with a bad option": "!200002",
		ping: "waiting",
		opened: ".",
		begin: ".",
		partial: ".",
		final: ".",
		completed: ".",
		"completed by duration": ".",
		"empty audio": "!230001",
		"failed: internal": "!100003",
		"failed: no audio": "!200007",
		"failed: not this format": "!200006",
		late: "!230002",
	},
	starting: {
		stop: "starting",
		ping: "starting",
		audio: "starting",
		"empty audio": ".",
		opened: "streaming",
		begin: ".",
		partial: ".",
		final: ".",
		completed: ".",
		"completed by duration": ".",
		late: ".",
		"failed: internal": "!100003",
		"failed: no audio": "!200007",
		"failed: not this format": "!200006",
	},
	streaming: {
		stop: "over",
		ping: "streaming",
		audio: "streaming",
		"empty audio": ".",
		opened: ".",
		begin: "streaming",
		partial: "streaming",
		final: "streaming",
		completed: "over",
		"completed by duration": "over",
		"failed: internal": "!230004",
		"failed: no audio": "!200007",
		"failed: not this format": "!200006",
		late: "!230002",
	},
	stopping: {
		stop: ".",
		ping: "stopping",
		audio: ".",
		"empty audio": ".",
		opened: ".",
		begin: "stopping",
		partial: "stopping",
		final: "stopping",
		completed: "over",
		"completed by duration": "over",
		"failed: internal": "!230004",
		"failed: no audio": "over",
		"failed: not this format": "!200006",
		late: ".",
	},
};
expected["starting, heard"] = { ...expected.starting };
expected["starting, stopped"] = {
	...expected.starting,
	stop: ".",
	audio: ".",
	opened: "stopping",
};
expected["starting, stopped without audio"] = {
	...expected["starting, stopped"],
	opened: "over",
};
expected["streaming, heard"] = { ...expected.streaming, stop: "stopping" };
expected.transcribing = {
	...expected.streaming,
	stop: "!230001",
	"stop transcriber": "stopping",
	"end sentence": "streaming",
	speaker: "streaming",
};
expected["transcribing, stopped"] = {
	...expected.stopping,
	stop: "!230001",
	"stop transcriber": ".",
	"end sentence": ".",
	speaker: "stopping",
};

/** The same in every state before the end. */
const always: Record<string, string> = {
	start: "!230001",
	"start transcriber": "!230001",
	"start with a bad option": "!230001",
	stop: "!230001",
	"stop transcriber": "!230001",
	"end sentence": "!230001",
	speaker: "!230001",
	audio: "!230001",
	"bad message": "!200003",
	refused: "!100004",
	unread: "!230001",
	shutdown: "!100004",
	gone: "gone",
};

const closeCodes: Record<string, number> = {
	"100003": 1011,
	"100004": 1013,
	"230004": 1011,
};

t.test("every pair of state and event", async (t) => {
	for (const [way, events_] of Object.entries(ways))
		for (const [name, event] of Object.entries(events)) {
			const before = run(events_);
			const after = run([...events_, event]);
			const outcome =
				way === "over" ? "." : (expected[way]?.[name] ?? always[name]);
			t.ok(outcome, `${way} + ${name} is decided`);
			const seen = outcomeOf(before, after, outcome ?? "");
			t.equal(seen, outcome, `${way} + ${name}`);
		}
});

function outcomeOf(before: Trace, after: Trace, expected_: string): string {
	const said = after.sent.at(-1);
	if (after.sent.length > before.sent.length && said?.name === "TaskFailed") {
		const status = said.trouble?.status ?? "";
		const close = after.effects.find((it) => it.do === "close");
		const code = closeCodes[status] ?? 1008;
		return close?.do === "close" && close.code === code && close.afterMs === 0
			? `!${status}`
			: `closed with ${JSON.stringify(close)}`;
	}
	if (after.effects.length === 0 && after.state === before.state) return ".";
	if (after.effects.length === 0 && expected_ === ".")
		return sameState(before.state, after.state) ? "." : after.state.is;
	const silentEnd =
		after.state.is === "over" && after.sent.length === before.sent.length;
	return silentEnd ? "gone" : after.state.is;
}

function sameState(a: State, b: State): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

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
