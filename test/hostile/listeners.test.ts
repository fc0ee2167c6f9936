/** However a peer of a listener without credentials sends: nobody else waits for 50 ms (docs/security.md). */
import t from "tap";
import {
	frame as audioFrame,
	named,
	startAudioSocket,
} from "../calls/running-audiosocket.js";
import { startVosk } from "../vosk/running-vosk.js";
import { startWyoming } from "../wyoming/running-wyoming.js";
import { frame as event, pcm } from "../wyoming/wyoming-client.js";
import { Flooder } from "./flooder.js";
import { turnMsMax } from "./loop-probe.js";
import { binary, text, upgradeTo } from "./socket-bytes.js";

const mebibyte = 1024 * 1024;

const wyoming = await startWyoming(t);
const vosk = await startVosk(t);
const audioSocket = await startAudioSocket(t);
const flooder = new Flooder(t);
const upgrade = upgradeTo("/");

const nested = Buffer.concat([
	Buffer.from('{"a":'),
	Buffer.alloc(mebibyte - 100, "["),
]);
const keys = `{${Array.from({ length: 60_000 }, (_, i) => `"key-${i}":${i}`)}}`;
const farApart = (bytes: number) =>
	Buffer.from(`{"a":[${'{"1023":0},'.repeat(bytes / 11)}0]}`);
const phrases = Array.from({ length: 4000 }, (_, i) => `phrase ${i}`);
/** What costs the most memory for its text. */
const lists = (units: number) => `[${"[[[0]]],".repeat(units / 8)}0]`;
const block = (data: Uint8Array) =>
	Buffer.concat([
		Buffer.from(`{"type":"ping","data_length":${data.length}}\n`),
		data,
	]);

const cases: readonly [string, number, Uint8Array, number, number?][] = [
	["pings", wyoming.port, Buffer.from('{"type":"ping"}\n'), 40_000],
	["describe", wyoming.port, Buffer.from('{"type":"describe"}\n'), 8000],
	["nested data", wyoming.port, block(nested), 1],
	["many keys", wyoming.port, block(Buffer.from(keys)), 2],
	[
		"numbers far apart for names",
		wyoming.port,
		block(farApart(mebibyte - 100)),
		2,
	],
	[
		"hotwords",
		wyoming.port,
		event("transcribe", { transcript_names: phrases }),
		10,
	],
	[
		"short chunks",
		wyoming.port,
		event("audio-chunk", pcm, new Uint8Array(2)),
		8000,
	],
	[
		"turns",
		wyoming.port,
		Buffer.concat([
			event("audio-chunk", pcm, new Uint8Array(2)),
			event("audio-stop"),
		]),
		1000,
	],
	[
		"a long chunk of many channels",
		wyoming.port,
		event(
			"audio-chunk",
			{ rate: 384_000, width: 1, channels: 8 },
			new Uint8Array(mebibyte),
		),
		2,
	],
	[
		"a long event in pieces",
		wyoming.port,
		event("audio-chunk", pcm, new Uint8Array(mebibyte)),
		1,
		500,
	],
	["a list of lines", wyoming.port, Buffer.alloc(mebibyte, "\n"), 1],
];
const messages: readonly [string, Uint8Array, number, number?][] = [
	["empty audio", Buffer.of(0x82, 0x80, 0, 0, 0, 0), 40_000],
	["pings", Buffer.of(0x89, 0x80, 0, 0, 0, 0), 40_000],
	["short audio", Buffer.of(0x82, 0x82, 0, 0, 0, 0, 1, 1), 20_000],
	[
		"resets",
		Buffer.concat([binary(Buffer.alloc(2)), text('{"reset":1}')]),
		1000,
	],
	[
		"configurations",
		text(JSON.stringify({ config: { phrase_list: phrases } })),
		10,
	],
	["a nested text", text(nested.toString("latin1", 0, 65_000)), 1],
	[
		"numbers far apart for names",
		text(farApart(65_000).toString("latin1")),
		10,
	],
	[
		"fragments of a byte",
		Buffer.concat([
			Buffer.of(0x02, 0x80, 0, 0, 0, 0),
			Buffer.concat(
				Array.from({ length: 60_000 }, () => Buffer.of(0, 0x81, 0, 0, 0, 0, 1)),
			),
		]),
		1,
	],
	["long audio", binary(Buffer.alloc(mebibyte)), 3],
	["long audio in pieces", binary(Buffer.alloc(mebibyte)), 1, 500],
];

for (const [what, port, bytes, times, pieceBytes] of cases)
	t.test(`Wyoming: ${what}`, async (t) => {
		const flood = { port, bytes, times, ...(pieceBytes && { pieceBytes }) };
		const ms = await flooder.longestTurnMs(flood);
		t.ok(ms <= turnMsMax, `held for ${ms.toFixed(1)} ms`);
	});

for (const [what, bytes, times, pieceBytes] of messages)
	t.test(`Vosk: ${what}`, async (t) => {
		const repeated = Array.from({ length: times }, () => bytes);
		const ms = await flooder.longestTurnMs({
			port: vosk.port,
			bytes: Buffer.concat([upgrade, ...repeated]),
			times: 1,
			...(pieceBytes && { pieceBytes }),
		});
		t.ok(ms <= turnMsMax, `held for ${ms.toFixed(1)} ms`);
	});

const frames: readonly [string, Uint8Array, number, number?][] = [
	["digits", audioFrame(0x03, Buffer.from("5")), 100_000],
	["empty audio", audioFrame(0x10), 100_000],
	["short audio", audioFrame(0x10, Buffer.of(1, 1)), 20_000],
	["errors", audioFrame(0xff, Buffer.of(1)), 20_000],
	["long audio", audioFrame(0x18, Buffer.alloc(65_534, 0x30)), 40],
	["in pieces", audioFrame(0x10, Buffer.alloc(65_534, 0x30)), 4, 100],
];
for (const [what, bytes, times, pieceBytes] of frames)
	t.test(`AudioSocket: ${what}`, async (t) => {
		const repeated = Array.from({ length: times }, () => bytes);
		const flood = {
			port: audioSocket.port,
			bytes: Buffer.concat([named(), ...repeated, audioFrame(0x00)]),
			times: 1,
			...(pieceBytes && { pieceBytes }),
		};
		const turnMs = await flooder.longestTurnMs(flood);
		t.ok(turnMs <= turnMsMax, `${turnMs} ms`);
	});

/** Parsed in one piece. */
const ping = block(Buffer.from(`{"a":${lists(16_000)}}`));
const together: readonly [string, number, Uint8Array][] = [
	["Wyoming", wyoming.port, block(Buffer.from(`{"a":${lists(150_000)}}`))],
	["Wyoming", wyoming.port, repeated(ping, 10)],
	[
		"Vosk",
		vosk.port,
		Buffer.concat([upgrade, text(`{"reset":${lists(64_000)}}`)]),
	],
];
for (const [what, port, bytes] of together)
	t.test(`${what}: 64 peers at once, ${bytes.length} bytes each`, async (t) => {
		const ms = await flooder.longestTurnMs({
			port,
			bytes,
			times: 1,
			peers: 64,
		});
		t.ok(ms <= turnMsMax, `held for ${ms.toFixed(1)} ms`);
	});

function repeated(bytes: Uint8Array, times: number): Buffer {
	return Buffer.concat(Array.from({ length: times }, () => bytes));
}
