/**
 * What ffprobe says of a file: the tracks that its container lists, and how long the first audio track is by its packets. That it can be decoded is shown by
 * decoding its first seconds. Hours of packets are read in seconds, hours of samples are not.
 */
import { resolve } from "node:path";
import type { ContainerDecoder } from "../../runtime/audio/decoder-port.js";
import type {
	ContainerFacts,
	ContainerProbe,
	ProbeOptions,
} from "../../runtime/audio/probe-port.js";
import { CodedError } from "../../runtime/errors.js";
import { demuxerOf, limitedArgv } from "./argv.js";
import { requireExecutable } from "./executable.js";
import { readLines } from "./lines.js";
import { Semaphore } from "./semaphore.js";

export interface ProbeParts {
	/** A name on the PATH or an absolute path. */
	readonly program?: string;
	readonly decoder: ContainerDecoder;
	/** Files looked at at the same time: each takes a core. */
	readonly atOnce?: number;
}

const proofSeconds = 10;
/** CPU for a child: that of decoding so much audio. */
const cpuAudioSeconds = 600;
const childSecondsMax = 120;
/** Of the list of tracks: a container may hold thousands. */
const tracksCharactersMax = 256 * 1024;

interface Track {
	readonly index: number;
	readonly codec_type?: string;
	readonly channels?: number;
	readonly time_base?: string;
	readonly disposition?: { readonly attached_pic?: number };
}

export function openProbe(parts: ProbeParts): ContainerProbe {
	const semaphore = new Semaphore(parts.atOnce ?? 2);
	return {
		probeFile: (path, options) =>
			semaphore.run(options.signal, () => probe(parts, resolve(path), options)),
	};
}

async function probe(
	{ program = "ffprobe", decoder }: ProbeParts,
	path: string,
	options: ProbeOptions,
): Promise<ContainerFacts> {
	const ffprobe = await requireExecutable(program, "ffmpeg");
	const ask = (...asked: string[]) => {
		const argv = probeArgv(ffprobe, path, options, asked);
		return readLines({
			argv: limitedArgv(argv, { durationSecondsMax: cpuAudioSeconds }),
			secrets: [path],
			secondsMax: childSecondsMax,
			signal: options.signal,
		});
	};
	const tracks = await tracksOf(
		ask(
			...["-show_entries"],
			"stream=index,codec_type,channels,time_base:stream_disposition=attached_pic",
			...["-of", "json"],
		),
	);
	const audio = tracks.find((it) => it.codec_type === "audio");
	if (!audio) throw undecodable("it has no audio track");
	const seconds = await packetSeconds(
		ask(
			...["-select_streams", "a:0", "-show_entries", "packet=duration"],
			...["-of", "csv=p=0"],
		),
		secondsOf(audio.time_base),
		options.durationSecondsMax,
	);
	if (seconds === 0) throw new CodedError("200007");
	const facts = {
		channels: audio.channels ?? 0,
		hasVideo: tracks.some(isVideo),
	};
	// refused anyway
	if (seconds > options.durationSecondsMax)
		return { ...facts, audioMs: Math.ceil(seconds * 1000) };
	const decoded = await decodedSeconds(decoder, path, options, proofSeconds);
	// packets that do not say how long they are: then only their samples do
	const known = Number.isNaN(seconds)
		? await decodedSeconds(decoder, path, options, options.durationSecondsMax)
		: Math.max(seconds, decoded);
	return { ...facts, audioMs: Math.ceil(known * 1000) };
}

function probeArgv(
	ffprobe: string,
	path: string,
	{ container }: ProbeOptions,
	asked: readonly string[],
): string[] {
	return [
		ffprobe,
		"-hide_banner",
		...["-v", "error"],
		...["-protocol_whitelist", "file,pipe"],
		...["-f", demuxerOf(container)],
		...asked,
		...["-i", `file:${path}`],
	];
}

async function tracksOf(
	lines: AsyncIterable<readonly string[]>,
): Promise<Track[]> {
	let text = "";
	for await (const some of lines) {
		text += some.join("");
		if (text.length > tracksCharactersMax)
			throw undecodable("it lists too many tracks");
	}
	try {
		const { streams } = JSON.parse(text) as { streams?: Track[] };
		return streams ?? [];
	} catch {
		throw undecodable("its tracks can't be listed");
	}
}

/** Cover art is a video track as well, with a mark. */
function isVideo({ codec_type, disposition }: Track): boolean {
	return codec_type === "video" && disposition?.attached_pic !== 1;
}

/** @returns NaN where a packet does not say. */
async function packetSeconds(
	durations: AsyncIterable<readonly string[]>,
	unitSeconds: number,
	secondsMax: number,
): Promise<number> {
	let units = 0;
	for await (const lines of durations) {
		for (const line of lines) {
			if (line.startsWith("N/A")) return Number.NaN;
			// the first number of a line; what else a packet has to tell follows a comma
			const duration = Number.parseInt(line, 10);
			if (duration > 0) units += duration;
		}
		if (units * unitSeconds > secondsMax) break;
	}
	return units * unitSeconds;
}

/** `1/16000` */
function secondsOf(timeBase: string | undefined): number {
	const [, above, below] = /^(\d+)\/(\d+)$/.exec(timeBase ?? "") ?? [];
	const seconds = Number(above) / Number(below);
	if (!Number.isFinite(seconds) || seconds <= 0)
		throw undecodable("its audio track has no time base");
	return seconds;
}

/** @throws CodedError 200006 where no sample comes. */
async function decodedSeconds(
	decoder: ContainerDecoder,
	path: string,
	{ container, signal }: ProbeOptions,
	secondsMax: number,
): Promise<number> {
	let samples = 0;
	const decode = {
		container,
		durationSecondsMax: secondsMax,
		...(signal && { signal }),
	};
	for await (const piece of decoder.decodeFile(path, decode))
		samples += piece.length;
	return samples / 16_000;
}

function undecodable(why: string): CodedError {
	return new CodedError("200006", `audio can't be decoded: ${why}`);
}
