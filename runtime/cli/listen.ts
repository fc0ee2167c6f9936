/**
 * `earshot listen`: streams speech to a running appliance and prints its results as they arrive: from a microphone of this machine, from a file at its own
 * pace, or raw samples from a pipe (`arecord -q -t raw -f S16_LE -r 16000 | earshot listen --file -`). A microphone also works without an appliance.
 */
import { type Command, Option } from "commander";
import { arrayNames } from "../audio/array/geometry.js";
import { EarshotError, type Result } from "../client/earshot-client.js";
import type { Config } from "../config/schema.js";
import { captureSettings, streamAccess } from "../microphones/from-config.js";
import { languageNames, parseLanguage } from "../session/languages.js";
import { hotwordsMaxOfRequest } from "../session/options.js";
import { type AudioFile, inspectFile } from "./audio-file.js";
import { configOrDefaults } from "./config-or-defaults.js";
import { meterText } from "./level-meter.js";
import { openTranscriber, sessionHotwords } from "./listen-session.js";
import {
	isConfigured,
	listenedMicrophone,
	listenedWakeWords,
} from "./listened-microphone.js";
import { LiveLines, type Screen } from "./live-lines.js";
import { microphoneAudio } from "./microphone-audio.js";
import type { Transcriber } from "./own-transcriber.js";
import { pacedAudio } from "./paced-audio.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

interface Flags {
	readonly file?: string;
	readonly microphone?: string;
	readonly device?: string;
	readonly channels?: string;
	readonly channelMap?: string;
	readonly array?: string;
	readonly lang?: string;
	readonly url?: string;
	readonly token?: string;
	readonly rate: string;
	readonly speed: string;
	readonly json?: boolean;
	readonly hotwords?: string;
	readonly wake?: string | true;
}

const speedMax = 100;

export function listenCommand(): Command {
	return verb(
		"listen",
		"speak, and see the recognized text: from the running appliance, or without one",
	)
		.option(
			"--microphone <id>",
			'id of a configured microphone; or an ALSA device, such as "hw:1,0"',
		)
		.option("--device <name>", 'an ALSA device, such as "hw:1,0"')
		.option(
			"--channels <count>",
			"channels that the device records (default: 1)",
		)
		.option(
			"--channel-map <list>",
			"those of microphones, separated by commas, the first is 0 (default: all)",
		)
		.addOption(
			new Option(
				"--array <name>",
				"geometry of the device's microphone array",
			).choices([...arrayNames]),
		)
		.option(
			"--file <file>",
			"wav, mp3, flac, ogg/opus, aac, amr or raw pcm; -: raw pcm from standard input, as it arrives",
		)
		.option(
			"--lang <language>",
			`${languageNames.join(", ")} (default: the microphone's, or en)`,
		)
		.option(
			"--url <address>",
			"of the appliance (default: the one on this machine)",
		)
		.option("--token <token>", "access token (default: $EARSHOT_TOKEN)")
		.option(
			"--speed <factor>",
			"1: the speed of speech, 2: twice as fast, 0: as fast as possible",
			"1",
		)
		.option(
			"--hotwords <file>",
			`words to recognize more readily: one per line, ${hotwordsMaxOfRequest} at most`,
		)
		.option(
			"--wake [phrase]",
			'recognize only what follows this Chinese phrase, until a pause: "小智小智", or several separated by commas (default: the microphone\'s wake_words)',
		)
		.option(
			"--json",
			"print every result, including partial ones, as a line of JSON",
		)
		.addOption(
			new Option("--rate <hertz>", "sample rate of raw pcm")
				.choices(["8000", "16000"])
				.default("16000"),
		)
		.action(action(listen));
}

async function listen(flags: Flags, command: Command): Promise<void> {
	const config = configOnce(flags, command);
	const microphone = listenedMicrophone(flags, config);
	const name = flags.lang ?? microphone?.language ?? "en";
	const language = parseLanguage(name);
	if (!language)
		throw new UsageError(
			`--lang must be one of ${languageNames.join(", ")}; got ${name}`,
		);
	const speed = speedOf(flags.speed);
	const hotwords = sessionHotwords(flags.hotwords, config);
	const wakeWords = listenedWakeWords(flags.wake, microphone);
	const file =
		flags.file === undefined || flags.file === "-"
			? undefined
			: await readable(flags.file);
	const stopped = new AbortController();
	const abandoned = new AbortController();
	let isOpen = false;
	// first: stop sending and wait for the last results, if there can be any; second: exit at once
	process.on("SIGINT", () => {
		if (stopped.signal.aborted || !isOpen)
			abandoned.abort(new EarshotError("", "given up"));
		stopped.abort();
	});
	const client = await openTranscriber(
		{ flags, config, microphone, language, hotwords, wakeWords, file },
		abandoned.signal,
	).catch((error) => {
		if (stopped.signal.aborted) return undefined;
		throw error;
	});
	if (!client) return;
	isOpen = true;
	const lines = new LiveLines(screen(), !process.env.NO_COLOR);
	const shown = show(client, lines, flags.json ?? false);
	shown.catch(() => {}); // thrown by `stop` as well
	const audio = microphone
		? microphoneAudio(
				captureSettings(
					microphone,
					streamAccess(microphone, config().outbound),
				),
				stopped.signal,
				(levels, azimuthDeg) => {
					if (!flags.json) lines.meter(meterText(levels, azimuthDeg));
				},
				(text) => process.stderr.write(`earshot: ${text}\n`),
			)
		: file
			? pacedAudio(file, Number(flags.rate), speed)
			: process.stdin;
	try {
		await sendAudio(client, audio, stopped.signal);
	} catch (error) {
		client.close(); // otherwise it keeps the process alive
		throw error;
	}
	await client.stop();
	await shown;
	process.stdin.destroy(); // otherwise it keeps the process alive
}

/** Read where something of it is needed, and once. Without a microphone of the appliance the defaults do. */
function configOnce(flags: Flags, command: Command): () => Config {
	let config: Config | undefined;
	const read = isConfigured(flags) ? configFor : configOrDefaults;
	return () => {
		config ??= read(command).values;
		return config;
	};
}

/** A terminal that can't rewrite its line (terminfo's "dumb") is treated as a plain output. */
function screen(): Screen {
	if (process.env.TERM !== "dumb") return process.stdout;
	return { write: (text) => process.stdout.write(text) };
}

async function sendAudio(
	client: Transcriber,
	audio: AsyncIterable<Uint8Array>,
	stopped: AbortSignal,
): Promise<void> {
	if (stopped.aborted) return; // its event does not come again
	const untilStopped = new Promise<"stopped">((resolve) => {
		stopped.addEventListener("abort", () => resolve("stopped"));
	});
	const packets = audio[Symbol.asyncIterator]();
	for (;;) {
		const next = await Promise.race([packets.next(), untilStopped]);
		if (next === "stopped" || next.done) break;
		if (!(await client.send(next.value))) break;
	}
	// releases a microphone; a pipe is not awaited
	if (audio !== process.stdin) await packets.return?.();
}

async function show(
	client: Transcriber,
	lines: LiveLines,
	json: boolean,
): Promise<void> {
	try {
		for await (const result of client)
			if (json) print(JSON.stringify(jsonOf(result)));
			else if (result.is === "wake") lines.final(`[${result.text}]`);
			else if (result.is === "partial") lines.partial(result.text);
			else if (result.is === "sentence" && result.text !== "")
				lines.final(result.text);
	} finally {
		lines.clear();
	}
}

/** Field names as in the other JSON of the command line. */
function jsonOf(result: Result): object {
	const { is, index, timeMs } = result;
	const common = { is, index, audio_ms: timeMs };
	if (result.is === "sentence-begin" || result.is === "sleep") return common;
	const { beginMs, text, words } = result;
	const spoken = { ...common, begin_ms: beginMs, text };
	if (result.is === "partial") return spoken;
	const { confidence } = result;
	return { ...spoken, confidence, ...(words.length > 0 && { words }) };
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
