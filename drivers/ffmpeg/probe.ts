/**
 * Inspects a file with ffprobe: the length of the first audio track by its packets, and the tracks that its container lists. Its first seconds are decoded,
 * to check that decoding works. Hours of packets are read in seconds, hours of samples are not. Starting ffprobe takes longer than reading a short file, so the list
 * of tracks is asked for only where there are others than the one.
 */

import { resolve } from "node:path";
import type {
	ContainerDecoder,
	DecodeOptions,
} from "../../runtime/audio/decoder-port.js";
import type {
	ContainerFacts,
	ContainerProbe,
	ProbeOptions,
} from "../../runtime/audio/probe-port.js";
import { CodedError } from "../../runtime/errors.js";
import { Semaphore } from "../../runtime/limits/semaphore.js";
import { limitedArgv, probeArgv } from "./argv.js";
import { delayBetween, hasTracks } from "./delay.js";
import { requireExecutable } from "./executable.js";
import { readLines } from "./lines.js";
import { undecodable } from "./undecodable.js";

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
		const argv = [ffprobe, ...probeArgv(path, options.container, entries)];
		return readLines({
			argv: limitedArgv(argv, { durationSecondsMax: cpuAudioSeconds }),
			secrets: [path],
			secondsMax: childSecondsMax,
			signal: options.signal,
		});
	};
	const only = await packetsOf(
		query(
			...["-select_streams", "a:0", "-show_entries"],
			"packet=duration,duration_time:stream=codec_type,channels,time_base,start_time:format=nb_streams,start_time",
			...["-of", "csv"],
		),
		options.durationSecondsMax,
		hasTracks(options.container),
	);
	const { seconds, delaySeconds } = only;
	if (seconds === 0) throw new CodedError("200007");
	const facts = only.facts ?? factsOf(await tracksOf(query(...trackEntries)));
	// the caller refuses it
	if (seconds > options.durationSecondsMax)
		return { ...facts, audioMs: Math.ceil(seconds * 1000) };
	const decode = (secondsMax: number) =>
		decodedSeconds(decoder, path, {
			container: options.container,
			durationSecondsMax: secondsMax,
			delaySeconds,
			...(options.signal && { signal: options.signal }),
		});
	const decoded = await decode(proofSeconds);
	// without durations in the packets, everything is decoded to count the samples
	const known = Number.isNaN(seconds)
		? await decode(options.durationSecondsMax)
		: Math.max(seconds, decoded);
	return { ...facts, audioMs: Math.ceil(known * 1000) };
}

const trackEntries = [
	"-show_entries",
	"stream=index,codec_type,channels:stream_disposition=attached_pic",
	...["-of", "json"],
];

function factsOf(tracks: readonly Track[]): Omit<ContainerFacts, "audioMs"> {
	const audio = tracks.find((it) => it.codec_type === "audio");
	return { channels: audio?.channels ?? 0, hasVideo: tracks.some(isVideo) };
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

interface Packets {
	/** With what is before the sound of a video; NaN if a packet has no duration. */
	readonly seconds: number;
	/** What is before the sound; undefined if the rest of the packets was not read. */
	readonly delaySeconds?: number;
	/** Undefined if there are other tracks, or if the rest of the packets was not read. */
	readonly facts: Omit<ContainerFacts, "audioMs"> | undefined;
}

/** Lines of `packet,DURATION,SECONDS`, `stream,TYPE,CHANNELS,TIME_BASE,BEGIN` and `format,TRACKS,BEGIN`, in this order. */
async function packetsOf(
	output: AsyncIterable<readonly string[]>,
	secondsMax: number,
	mayBeDelayed: boolean,
): Promise<Packets> {
	let units = 0;
	let secondsAbout = 0;
	let track: readonly string[] | undefined;
	let tracks = 0;
	let containerBegin: string | undefined;
	for await (const lines of output) {
		for (const line of lines) {
			const [section, ...fields] = line.split(",");
			if (section === "stream") track = fields;
			if (section === "format") {
				tracks = Number(fields[0]);
				containerBegin = fields[1];
			}
			if (section !== "packet") continue;
			if (fields[0] === "N/A") return { seconds: Number.NaN, facts: undefined };
			const duration = Number.parseInt(fields[0] ?? "", 10);
			if (duration <= 0) continue;
			units += duration;
			secondsAbout += Number.parseFloat(fields[1] ?? "");
		}
		// each is rounded to microseconds
		if (secondsAbout > secondsMax + 60)
			return { seconds: secondsAbout, facts: undefined };
	}
	if (!track) throw undecodable("it has no audio track");
	const [, channels, timeBase, begin] = track;
	const delaySeconds = mayBeDelayed ? delayBetween(begin, containerBegin) : 0;
	return {
		seconds: units * secondsOf(timeBase) + delaySeconds,
		delaySeconds,
		facts:
			tracks === 1
				? { channels: Number(channels), hasVideo: false }
				: undefined,
	};
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
	decode: DecodeOptions,
): Promise<number> {
	let samples = 0;
	for await (const piece of decoder.decodeFile(path, decode))
		samples += piece.length;
	return samples / 16_000;
}
