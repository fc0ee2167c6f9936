/** Every pair of a state and an event: the next state, or the error that the client is sent. */
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
	"starting, with audio": [start(), audio],
	"starting, stopped": [start(), audio, stop()],
	"starting, stopped without audio": [start(), stop()],
	streaming: [start(), opened],
	"streaming, with audio": [start(), opened, audio],
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

/** After a stop the client has nothing more to say. */
const ignored: Record<string, string> = {
	start: ".",
	"start transcriber": ".",
	"start with a bad option": ".",
	stop: ".",
	"stop transcriber": ".",
	"end sentence": ".",
	speaker: ".",
	audio: ".",
	"empty audio": ".",
	"bad message": ".",
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
		...ignored,
		ping: "stopping",
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
expected["starting, with audio"] = { ...expected.starting };
expected["starting, stopped"] = {
	...expected.starting,
	...ignored,
	opened: "stopping",
};
expected["starting, stopped without audio"] = {
	...expected["starting, stopped"],
	opened: "over",
};
expected["streaming, with audio"] = { ...expected.streaming, stop: "stopping" };
expected.transcribing = {
	...expected.streaming,
	stop: "!230001",
	"stop transcriber": "stopping",
	"end sentence": "streaming",
	speaker: "streaming",
};
expected["transcribing, stopped"] = { ...expected.stopping };

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
	const last = after.sent.at(-1);
	if (after.sent.length > before.sent.length && last?.name === "TaskFailed") {
		const status = last.trouble?.status ?? "";
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
