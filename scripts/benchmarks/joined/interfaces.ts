/**
 * The ways by which a recording becomes a text: the product's interfaces, and the peer. References hold what was said: fillers are wanted, and numbers as
 * they fell.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { EarshotClient } from "../../../runtime/client/earshot-client.js";
import { langTypes } from "../clips.js";
import { Contender } from "../contender.js";
import { transcribe } from "../files/client.js";
import { expectWords, program, type Server } from "../server.js";
import { readWav } from "../wav.js";
import type { Label } from "./recordings.js";

export interface Spoken {
	/** 16 kHz, mono, 16-bit WAV. */
	readonly path: string;
	readonly label: Label;
}

/** @returns the texts, in the order of the recordings. */
export type Recognize = (recordings: readonly Spoken[]) => Promise<string[]>;

export const interfaceNames = [
	"http",
	"websocket",
	"transcriber",
	"file",
	"command",
	"faster-whisper",
] as const;
export type InterfaceName = (typeof interfaceNames)[number];

/** `lang_type` of the API. */
export const langTypeOf: Readonly<Record<Label, string>> = {
	...langTypes,
	"zh-en": "zh-cmn-Hans-CN-en-US",
	"ja-en": "ja-JP-en-US",
};

const verbatim = {
	enable_modal_particle_filter: false,
	enable_inverse_text_normalization: false,
};
/** The longest that a short request may be, seconds. */
const duration = 600;

export function productInterface(
	name: Exclude<InterfaceName, "faster-whisper">,
	server: Server,
): Recognize {
	switch (name) {
		case "http":
			return oneByOne((it) => overHttp(server, it));
		case "websocket":
			return oneByOne((it) => overWebSocket(server, it, "SpeechRecognizer"));
		case "transcriber":
			return oneByOne((it) => overWebSocket(server, it, "SpeechTranscriber"));
		case "file":
			return oneByOne((it) => asFile(server, it));
		case "command":
			return byCommand;
	}
}

/** @returns the peer, and its end. Two languages are left to it to find, piece by piece. */
export async function openPeer(threads: number) {
	const peer = await Contender.start("faster-whisper", threads);
	const recognize = oneByOne(async ({ path, label }) => {
		const language = label.includes("-") ? "multilingual" : label;
		return (await peer.recognize({ path, language })).text;
	});
	return { recognize, version: peer.version, close: () => peer.close() };
}

function oneByOne(recognize: (one: Spoken) => Promise<string>): Recognize {
	return async (recordings) => {
		const texts: string[] = [];
		for (const one of recordings) texts.push(await recognize(one));
		return texts;
	};
}

async function overHttp(server: Server, it: Spoken): Promise<string> {
	const answer = await server.recognize(
		readWav(it.path),
		langTypeOf[it.label],
		{
			enable_modal_particle_filter: "false",
			enable_inverse_text_normalization: "false",
			duration: `${duration}`,
		},
	);
	return expectWords(answer).text;
}

async function overWebSocket(
	{ endpoint }: Server,
	{ path, label }: Spoken,
	namespace: "SpeechRecognizer" | "SpeechTranscriber",
): Promise<string> {
	const client = new EarshotClient({
		...endpoint,
		namespace,
		silenceTimeoutMs: 300_000,
	});
	const lang_type = langTypeOf[label];
	await client.start(
		namespace === "SpeechRecognizer"
			? { ...verbatim, lang_type, duration }
			: { ...verbatim, lang_type },
	);
	const sentences: string[] = [];
	let completed = "";
	const reading = (async () => {
		for await (const result of client) {
			if (result.is === "sentence") sentences.push(result.text);
			if (result.is === "completed") completed = result.text;
		}
	})();
	reading.catch(() => {}); // thrown by `stop` as well
	const { buffer, byteOffset, byteLength } = readWav(path);
	await client.send(new Uint8Array(buffer, byteOffset, byteLength));
	await client.stop();
	await reading;
	return namespace === "SpeechRecognizer" ? completed : sentences.join(" ");
}

async function asFile(
	server: Server,
	{ path, label }: Spoken,
): Promise<string> {
	const { segments } = await transcribe(server, {
		path,
		language: "en",
		options: {
			lang_type: langTypeOf[label],
			enable_modal_particle_filter: "false",
		},
	});
	return segments.map((it) => it.transcript).join(" ");
}

/** All that are in one language are given to one command: it loads the models once. */
async function byCommand(recordings: readonly Spoken[]): Promise<string[]> {
	const texts = new Map<string, string>();
	const [file, ...before] = program;
	for (const label of new Set(recordings.map((it) => it.label))) {
		const own = recordings.filter((it) => it.label === label);
		const paths = own.map(({ path }) => path);
		const { stdout } = await promisify(execFile)(
			file,
			[...before, "transcribe", "--lang", label, "--json", ...paths],
			{ maxBuffer: 2 ** 26 },
		);
		for (const line of stdout.trim().split("\n")) {
			const { file: path, text } = JSON.parse(line);
			texts.set(path, text);
		}
	}
	return recordings.map(({ path }) => texts.get(path) ?? "");
}
