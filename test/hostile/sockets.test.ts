/** However many messages a client of a WebSocket sends at once, and however long they are: nobody else waits for 50 ms (docs/security.md). */
import t from "tap";
import { loud, runningCalls } from "../calls/running-calls.js";
import { Flooder } from "./flooder.js";
import { turnMsMax } from "./loop-probe.js";
import { binary, text, upgradeTo } from "./socket-bytes.js";

/** More than a socket is read at once. */
const floodBytes = 1024 * 1024;

const api = await runningCalls(
	t,
	{ public: true },
	{ auth: { rate_per_second: 0 } },
);
const { port, token } = api;
const flooder = new Flooder(t);

const live = "/v1/asr/ws";
const calls = "/v1/calls/ws?encoding=mulaw";
const realtime = "/v1/realtime";

const transcriber = (name: string, payload = {}) =>
	text(
		JSON.stringify({
			header: { namespace: "SpeechTranscriber", name },
			payload,
		}),
	);
const start = transcriber("StartTranscription", { lang_type: "en-US" });
const sound = binary(loud(160));
const none = Buffer.alloc(0);
/** The longest text that is read, of what takes longest to parse. */
const objects = (bytesMax: number, first: string) =>
	text(
		`${first.slice(0, -1)},"x":[${"{},".repeat((bytesMax - first.length - 10) / 3)}{}]}`,
	);
const ping = '{"header":{"namespace":"SpeechTranscriber","name":"ping"}}';
const event = text('{"event":"connected"}');
const jambonz = text('{"type":"start","sampleRateHz":8000}');
const kibibyte = 1024;

/** Of each: where it connects to, what comes first, and what is then repeated. */
const floods: Readonly<Record<string, readonly [string, Buffer, Buffer]>> = {
	"streaming: empty audio": [live, start, binary(none)],
	"streaming: short audio": [live, start, binary(Buffer.alloc(2))],
	"streaming: pings": [live, start, text(ping)],
	"streaming: pings before a start": [live, none, text(ping)],
	"streaming: long pings": [live, none, objects(256 * kibibyte, ping)],
	"streaming: ends of sentences": [
		live,
		Buffer.concat([start, sound]),
		transcriber("SentenceEnd"),
	],
	"streaming: speakers": [
		live,
		Buffer.concat([start, sound]),
		transcriber("SpeakerStart", { speaker_id: "a" }),
	],
	"streaming: what is no JSON, after a stop": [
		live,
		Buffer.concat([start, sound, transcriber("StopTranscription")]),
		text("x"),
	],
	"calls: events of no meaning": [calls, event, text('{"event":1}')],
	"calls: media of a byte": [
		calls,
		Buffer.concat([event, text('{"event":"start","start":{}}')]),
		text('{"event":"media","media":{"payload":"gA=="}}'),
	],
	"calls: empty audio": [calls, none, binary(none)],
	"calls: audio of a byte": [calls, none, binary(Buffer.of(1))],
	"calls: texts beside audio": [calls, sound, text("")],
	"calls: events of jambonz": [calls, jambonz, text('{"type":1}')],
	"calls: a long first text": [calls, none, objects(64 * kibibyte, '{"a":1}')],
	"calls: long events": [calls, event, objects(64 * kibibyte, '{"event":1}')],
	"Realtime: binary messages": [realtime, none, binary(none)],
	"Realtime: events of no meaning": [realtime, none, text('{"type":1}')],
};

for (const [what, [path, first, each]] of Object.entries(floods))
	t.test(what, async (t) => {
		const times = Math.ceil(floodBytes / each.length);
		const ms = await flooder.longestTurnMs({
			port,
			opening: upgradeTo(path, [`Authorization: Bearer ${token}`]),
			bytes: Buffer.concat([first, ...Array(times).fill(each)]),
			times: 1,
		});
		t.ok(ms <= turnMsMax, `held for ${ms.toFixed(1)} ms`);
	});
