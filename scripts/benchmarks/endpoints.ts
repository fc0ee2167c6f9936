/**
 * What another interface's endpoint adds to the time of `POST /v1/asr/api`: clips of about 5 s, one request at a time, from the first byte sent to the last byte
 * read, over one connection that is kept open, with bytes that were made before: of the same WAV, once as the body and once in a form. Compared are two requests
 * for the same clip, one right after the other, with the order turned round every other time. The differences of speech are what a client notices; those of 5 s of
 * silence show the same without the recognizer, whose time differs from run to run by more than what is measured.
 * Usage: scripts/bench endpoints [--rounds N] [--record]
 */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { parseArgs } from "node:util";
import { type Clip, langTypes, readClips } from "./clips.js";
import { processorMs } from "./process-usage.js";
import { judged, report } from "./report.js";
import { type Server, withServer } from "./server.js";
import { median, medianWithin } from "./statistics.js";
import { wavFile } from "./wav.js";

const { values } = parseArgs({
	options: {
		rounds: { type: "string", default: "16" },
		record: { type: "boolean", default: false },
	},
});
const addedMsMax = 5;
const nativeName = "POST /v1/asr/api";

interface Prepared {
	readonly path: string;
	readonly contentType: string;
	readonly body: Buffer;
	readonly textOf: (answer: string) => string;
}

interface Endpoint {
	readonly name: string;
	prepare(langType: string, wav: Buffer): Promise<Prepared>;
}

const native: Endpoint = {
	name: nativeName,
	prepare: async (langType, wav) => ({
		path: `/v1/asr/api?lang_type=${langType}&format=wav`,
		contentType: "audio/wav",
		body: wav,
		textOf: (answer) => JSON.parse(answer).data.result,
	}),
};

function form(
	name: string,
	path: string,
	fields: Readonly<Record<string, string>> = {},
	textOf = (answer: string): string => JSON.parse(answer).text,
): Endpoint {
	return {
		name,
		prepare: async (langType, wav) => {
			const body = new FormData();
			body.set("file", new Blob([new Uint8Array(wav)]), "clip.wav");
			body.set("language", langType);
			body.set("model", "whisper-1");
			for (const [name, value] of Object.entries(fields)) body.set(name, value);
			const encoded = new Response(body);
			return {
				path,
				textOf,
				contentType: encoded.headers.get("content-type") ?? "",
				body: Buffer.from(await encoded.arrayBuffer()),
			};
		},
	};
}

/** The text of the last event. */
function streamedText(answer: string): string {
	const [, done = ""] =
		/^data: (.*transcript\.text\.done.*)$/m.exec(answer) ?? [];
	return JSON.parse(done).text;
}

const openAi = "/v1/audio/transcriptions";
/** The first compares the native endpoint with itself: what chance does. */
const others: readonly Endpoint[] = [
	native,
	form(`POST ${openAi}`, openAi),
	form("the same with stream", openAi, { stream: "true" }, streamedText),
	form("POST /inference", "/inference"),
];

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function ask(
	{ endpoint: { url, token } }: Server,
	{ path, contentType, body, textOf }: Prepared,
): Promise<string> {
	const headers = {
		Authorization: `Bearer ${token}`,
		"Content-Type": contentType,
		"Content-Length": body.length,
	};
	return new Promise((fulfil, reject) => {
		const outgoing = request(
			url + path,
			{ method: "POST", agent, headers },
			(incoming) => {
				const chunks: Buffer[] = [];
				incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
				incoming.on("error", reject);
				incoming.on("end", () => {
					const answer = Buffer.concat(chunks).toString();
					if (incoming.statusCode === 200) fulfil(textOf(answer));
					else reject(new Error(`${path} answered ${answer}`));
				});
			},
		);
		outgoing.on("error", reject);
		outgoing.end(body);
	});
}

interface Cost {
	readonly text: string;
	readonly ms: number;
	/** Of the main process. */
	readonly processorMs: number;
}

async function measured(server: Server, prepared: Prepared): Promise<Cost> {
	const processorBeganMs = processorMs(server.pid);
	const beganMs = performance.now();
	const text = await ask(server, prepared);
	const ms = performance.now() - beganMs;
	return { text, ms, processorMs: processorMs(server.pid) - processorBeganMs };
}

/** What an endpoint's requests took, and cost the main process, more than the native ones beside them. */
class Compared {
	readonly addedMs: number[] = [];
	readonly addedProcessorMs: number[] = [];

	add(its: Cost, natives: Cost): void {
		if (its.text !== natives.text)
			throw new Error(`different texts: ${its.text} / ${natives.text}`);
		this.addedMs.push(its.ms - natives.ms);
		this.addedProcessorMs.push(its.processorMs - natives.processorMs);
	}
}

interface Recording {
	readonly langType: string;
	readonly wav: Buffer;
}

/** @returns for each of `others`. */
async function compare(
	server: Server,
	recordings: readonly Recording[],
	rounds: number,
): Promise<readonly Compared[]> {
	const compared = others.map(() => new Compared());
	const prepared = await Promise.all(
		recordings.map(async ({ langType, wav }) => {
			const prepare = (it: Endpoint) => it.prepare(langType, wav);
			return {
				natives: await prepare(native),
				theirs: await Promise.all(others.map(prepare)),
			};
		}),
	);
	for (const { natives, theirs } of prepared) // warm-up
		for (const it of [natives, ...theirs]) await ask(server, it);
	for (let round = 0; round < rounds; round++)
		for (const { natives, theirs } of prepared)
			for (const [at, its] of theirs.entries()) {
				const isFirst = (round + at) % 2 === 1; // whoever is second finds warmer caches
				const early = isFirst ? await measured(server, its) : undefined;
				const nativeCost = await measured(server, natives);
				const cost = early ?? (await measured(server, its));
				compared[at]?.add(cost, nativeCost);
			}
	return compared;
}

const clips: readonly Clip[] = (readClips() ?? []).filter(
	({ seconds }) => seconds >= 4.7 && seconds <= 5.6,
);
if (clips.length === 0) process.exit(1);
const speech: readonly Recording[] = clips.map(({ path, language }) => ({
	langType: langTypes[language],
	wav: readFileSync(path),
}));
const silence: Recording = {
	langType: "en-US",
	wav: wavFile(new Int16Array(5 * 16_000)),
};

const settings = {
	EARSHOT_ENGINE_THREADS: "1", // two of them wait for whatever else runs on a machine of two cores
	EARSHOT_AUTH_RATE_PER_SECOND: "0",
	EARSHOT_ENDPOINTS_WHISPER_CPP: "true",
};
await withServer(settings, async (server) => {
	const rounds = Number(values.rounds);
	const ofSpeech = await compare(server, speech, rounds);
	const ofSilence = await compare(server, [silence], rounds * speech.length);
	const shown = (all: readonly number[] = []) => {
		const { low, high } = medianWithin(all);
		return `${median(all).toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)}) ms`;
	};
	const measurements = others.map(({ name }, at) => {
		const spoken = ofSpeech[at]?.addedMs ?? [];
		const isMet = median(spoken) <= addedMsMax;
		const isControl = at === 0;
		return {
			what: `endpoints: ${isControl ? "that endpoint again" : name}, time added to ${nativeName}, median (and its 95 % interval) over ${spoken.length} pairs of requests: speech, ${clips.length} clips of 5 s; 5 s of silence; processor time of the main process for speech`,
			earshot: [
				shown(spoken),
				shown(ofSilence[at]?.addedMs),
				shown(ofSpeech[at]?.addedProcessorMs),
			].join("; "),
			goal: isControl ? "-" : judged(`speech <= ${addedMsMax} ms`, isMet),
		};
	});
	report(measurements, values.record);
});
agent.destroy();
