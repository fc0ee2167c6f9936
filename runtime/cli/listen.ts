/**
 * `earshot listen`: speech to a running appliance as it is said, and what it hears as it hears it: from a file at its own pace, or raw samples from a pipe
 * (`arecord -q -t raw -f S16_LE -r 16000 | earshot listen --file -`).
 */
import { type Command, Option } from "commander";
import {
	EarshotClient,
	EarshotError,
	type Result,
} from "../client/earshot-client.js";
import { languageNames, parseLanguage } from "../session/languages.js";
import { eitherRule } from "../words/hotword.js";
import { type AudioFile, inspectFile } from "./audio-file.js";
import { LiveLines } from "./live-lines.js";
import { pacedAudio } from "./paced-audio.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";
import { readWordFile } from "./word-file.js";

interface Flags {
	readonly file: string;
	readonly lang: string;
	readonly url?: string;
	readonly token?: string;
	readonly rate: string;
	readonly speed: string;
	readonly json?: boolean;
	readonly hotwords?: string;
}

const speedMax = 100;
/** Of one session; a list that is longer is kept by the appliance. */
const hotwordsMax = 100;

export function listenCommand(): Command {
	return verb("listen", "speak to a running appliance, and see what it hears")
		.requiredOption(
			"--file <file>",
			"wav, mp3, flac, ogg/opus, aac, amr or raw pcm; -: raw pcm from standard input, as it comes",
		)
		.option("--lang <language>", languageNames.join(", "), "en")
		.option(
			"--url <address>",
			"of the appliance (default: the one on this machine)",
		)
		.option("--token <token>", "access token (default: $EARSHOT_TOKEN)")
		.option(
			"--speed <factor>",
			"1: as it was spoken, 2: twice as fast, 0: as fast as it is taken",
			"1",
		)
		.option(
			"--hotwords <file>",
			`words that are likelier to be heard: one a line, ${hotwordsMax} at most`,
		)
		.option("--json", "every result, partial ones too, as a line of JSON")
		.addOption(
			new Option("--rate <hertz>", "sample rate of raw pcm")
				.choices(["8000", "16000"])
				.default("16000"),
		)
		.action(action(listen));
}

async function listen(flags: Flags, command: Command): Promise<void> {
	const language = parseLanguage(flags.lang);
	if (!language)
		throw new UsageError(
			`--lang must be one of ${languageNames.join(", ")}; got ${flags.lang}`,
		);
	const speed = speedOf(flags.speed);
	const hotwords = hotwordsOf(flags.hotwords, command);
	const file = flags.file === "-" ? undefined : await readable(flags.file);
	const stopped = new AbortController();
	const given = new AbortController();
	// once: no more is said, and what was said is answered; twice: now
	process.on("SIGINT", () => {
		if (stopped.signal.aborted) given.abort(new EarshotError("", "given up"));
		stopped.abort();
	});
	const token = flags.token ?? (process.env.EARSHOT_TOKEN || undefined);
	const client = new EarshotClient({
		url: flags.url ?? localAddress(command),
		namespace: "SpeechTranscriber",
		signal: given.signal,
		token,
	});
	const rateHz = Number(flags.rate);
	await client.start({
		lang_type: language,
		format: file?.format ?? "pcm",
		...(hotwords && { hotwords_list: hotwords }),
		...(rateHz === 8000 && { field: "call-center" as const }),
	});
	const shown = show(client, flags.json ?? false);
	shown.catch(() => {}); // thrown by `stop` as well
	const audio = file ? pacedAudio(file, rateHz, speed) : process.stdin;
	await say(client, audio, stopped.signal);
	await client.stop();
	await shown;
	process.stdin.destroy(); // or it would be waited for
}

async function say(
	client: EarshotClient,
	audio: AsyncIterable<Uint8Array>,
	stopped: AbortSignal,
): Promise<void> {
	const enough = new Promise<"stopped">((resolve) => {
		stopped.addEventListener("abort", () => resolve("stopped"));
	});
	const packets = audio[Symbol.asyncIterator]();
	for (;;) {
		const next = await Promise.race([packets.next(), enough]);
		if (next === "stopped" || next.done) return;
		if (!(await client.send(next.value))) return;
	}
}

async function show(client: EarshotClient, json: boolean): Promise<void> {
	const lines = new LiveLines(process.stdout);
	try {
		for await (const result of client)
			if (json) print(JSON.stringify(jsonOf(result)));
			else if (result.is === "partial") lines.partial(result.text);
			else if (result.is === "sentence" && result.text !== "")
				lines.final(result.text);
	} finally {
		lines.clear();
	}
}

/** Names as the rest of the command line's JSON has them. */
function jsonOf(result: Result): object {
	const { is, index, timeMs } = result;
	const told = { is, index, audio_ms: timeMs };
	if (result.is === "sentence-begin") return told;
	const { beginMs, text, words } = result;
	const spoken = { ...told, begin_ms: beginMs, text };
	if (result.is === "partial") return spoken;
	const { confidence } = result;
	return { ...spoken, confidence, ...(words.length > 0 && { words }) };
}

/** @throws UsageError */
function hotwordsOf(
	file: string | undefined,
	command: Command,
): readonly string[] | undefined {
	if (file === undefined) return undefined;
	const { categories } = configFor(command).values.hotwords;
	const { entries } = readWordFile(file, eitherRule(categories));
	if (entries.length <= hotwordsMax) return entries;
	throw new UsageError(
		`${file} has ${entries.length} words, a session takes ${hotwordsMax}: keep them on the appliance (/v1/hotwords)`,
	);
}

function speedOf(text: string): number {
	const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
	if (speed <= speedMax) return speed;
	throw new UsageError(
		`--speed must be a number from 0 to ${speedMax}, got ${text}`,
	);
}

async function readable(path: string): Promise<AudioFile> {
	try {
		return await inspectFile(path);
	} catch (error) {
		throw new EarshotError("", `${path}: ${(error as Error).message}`);
	}
}

function localAddress(command: Command): string {
	const { host, port } = configFor(command).values.server;
	const any = host === "0.0.0.0" || host === "::";
	const name = host.includes(":") ? `[${host}]` : host;
	return `http://${any ? "127.0.0.1" : name}:${port}`;
}
