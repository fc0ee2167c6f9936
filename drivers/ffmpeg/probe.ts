/**
 * Inspects a file with ffprobe: the tracks that its container lists, and the length of the first audio track by its packets. Its first seconds are decoded,
 * to check that decoding works. Hours of packets are read in seconds, hours of samples are not.
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
	/** Files probed at the same time: each takes a core. */
	readonly atOnce?: number;
}

const proofSeconds = 10;
/** CPU limit of a child, as for decoding this much audio. */
const cpuAudioSeconds = 600;
const childSecondsMax = 120;
/** Limit for the list of tracks: a container may have thousands. */
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
	const query = (...entries: string[]) => {
		const argv = probeArgv(ffprobe, path, options, entries);
		return readLines({
			argv: limitedArgv(argv, { durationSecondsMax: cpuAudioSeconds }),
			secrets: [path],
			secondsMax: childSecondsMax,
			signal: options.signal,
		});
	};
	const tracks = await tracksOf(
		query(
			...["-show_entries"],
			"stream=index,codec_type,channels,time_base:stream_disposition=attached_pic",
			...["-of", "json"],
		),
	);
	const audio = tracks.find((it) => it.codec_type === "audio");
	if (!audio) throw undecodable("it has no audio track");
	const seconds = await packetSeconds(
		query(
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
	// the caller refuses it
	if (seconds > options.durationSecondsMax)
		return { ...facts, audioMs: Math.ceil(seconds * 1000) };
	const decoded = await decodedSeconds(decoder, path, options, proofSeconds);
	// without durations in the packets, everything is decoded to count the samples
	const known = Number.isNaN(seconds)
		? await decodedSeconds(decoder, path, options, options.durationSecondsMax)
		: Math.max(seconds, decoded);
	return { ...facts, audioMs: Math.ceil(known * 1000) };
}

function probeArgv(
	ffprobe: string,
	path: string,
	{ container }: ProbeOptions,
	entries: readonly string[],
): string[] {
	return [
		ffprobe,
		"-hide_banner",
		...["-v", "error"],
		...["-protocol_whitelist", "file,pipe"],
		...["-f", demuxerOf(container)],
		...entries,
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

/** Cover art is also a video track, with `attached_pic` set. */
function isVideo({ codec_type, disposition }: Track): boolean {
	return codec_type === "video" && disposition?.attached_pic !== 1;
}

/** @returns NaN if a packet has no duration. */
async function packetSeconds(
	durations: AsyncIterable<readonly string[]>,
	unitSeconds: number,
	secondsMax: number,
): Promise<number> {
	let units = 0;
	for await (const lines of durations) {
		for (const line of lines) {
			if (line.startsWith("N/A")) return Number.NaN;
			// the first number of a line; other fields of the packet follow after a comma
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

/** @throws CodedError 200006 if there are no samples. */
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
