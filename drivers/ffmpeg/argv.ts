/**
 * ffmpeg's arguments. Always a list, never a shell command: file names and labels are untrusted.
 */
import assert from "node:assert";
import type {
	Container,
	DecodeOptions,
} from "../../runtime/audio/decoder-port.js";

/** The demuxer is forced: a file of another format fails instead of reaching an unintended demuxer. */
const demuxers: Readonly<Record<Container, string>> = {
	wav: "wav",
	ogg: "ogg",
	webm: "matroska",
	mp3: "mp3",
	aac: "aac",
	amr: "amr",
	mp4: "mov",
	flac: "flac",
};

export function demuxerOf(container: Container): string {
	return demuxers[container];
}

/** Containers that can be decoded while they arrive. The mp4 family may have its index at the end: from a pipe it gives neither samples nor an error. */
export function isStreamable(container: Container): boolean {
	return container !== "mp4";
}

/**
 * Arguments for audio whose length is limited. `-t` counts time stamps, which jump at gaps and between chained streams; the limits count samples.
 * @param filters before the limit
 */
export function limitArgv(
	seconds: number,
	filters: readonly string[] = [],
): string[] {
	const chain = [...filters, "asetpts=N/SR/TB"].join(",");
	return ["-af", chain, "-t", String(seconds)];
}

/** Silence before the samples, which is made as it goes: a filter that obeys time stamps would hold all of it in memory, and drop samples where they are wrong. */
function delayFilters(seconds: number): string[] {
	return seconds > 0
		? [`adelay=delays=${Math.round(seconds * 1000)}:all=1`]
		: [];
}

/** Decodes a little more than allowed, so that the caller, which counts the samples, notices that the audio is too long. */
const marginSeconds = 1;

/**
 * A forced demuxer needs no probing. With input in real time, samples follow their bytes by 30 (amr), 40 (aac), 60 (adpcm), 120 (opus), 180 (mp3) and 950 ms
 * (flac: its parser needs ten frames) in the median; without this by 900 to 6000 ms. `-fflags nobuffer` would discard the first packets.
 */
const readAtOnce = [
	...["-flags", "low_delay"],
	...["-probesize", "32"],
	...["-analyzeduration", "0"],
];

/**
 * @param path absent: reads standard input. Samples are written to standard output as 32-bit little-endian floats.
 * @param delaySeconds of silence before them.
 */
export function decodeArgv(
	path: string | undefined,
	options: DecodeOptions,
	delaySeconds = 0,
): string[] {
	const { durationSecondsMax, streamed = false, channels = 1 } = options;
	const isEndless = !Number.isFinite(durationSecondsMax);
	assert(streamed || !isEndless, "decoding needs a limit");
	return [
		"-nostdin",
		"-hide_banner",
		...["-v", "error"],
		...["-protocol_whitelist", path === undefined ? "pipe" : "file,pipe"],
		...["-threads", "1"],
		...(streamed ? readAtOnce : []),
		...["-f", demuxers[options.container]],
		...["-i", path === undefined ? "pipe:0" : `file:${path}`],
		...["-map", "0:a:0"], // the first audio stream, no pictures
		...(isEndless
			? []
			: limitArgv(
					durationSecondsMax + marginSeconds,
					delayFilters(delaySeconds),
				)),
		// the mean of the channels, as elsewhere: without rematrix_maxval a float mix-down is 3 dB louder
		...["-ac", String(channels), "-rematrix_maxval", "1"],
		...["-ar", "16000"],
		...(streamed ? ["-flush_packets", "1"] : []),
		...["-f", "f32le", "-c:a", "pcm_f32le", "pipe:1"],
	];
}

/** ffprobe's arguments. @param entries what to print of the file, and how */
export function probeArgv(
	path: string,
	container: Container,
	entries: readonly string[],
): string[] {
	return [
		"-hide_banner",
		...["-v", "error"],
		...["-protocol_whitelist", "file,pipe"],
		...["-f", demuxers[container]],
		...entries,
		...["-i", `file:${path}`],
	];
}

/**
 * The same command under resource limits: CPU seconds and address space, no files, no core dumps.
 * `prlimit` executes the command in its own process, so a signal reaches the right process.
 */
export function limitedArgv(
	command: readonly string[],
	options: Pick<DecodeOptions, "durationSecondsMax">,
): string[] {
	const seconds = Math.min(options.durationSecondsMax, streamSecondsMax);
	const cpuSeconds = Math.ceil(30 + seconds / 10);
	return prlimited(command, [`--cpu=${cpuSeconds}`]);
}

/** Without a limit of CPU seconds: a microphone that is a stream is read for months, and would be cut off in a sentence when they are used up. */
export function standingArgv(command: readonly string[]): string[] {
	return prlimited(command, []);
}

function prlimited(
	command: readonly string[],
	limits: readonly string[],
): string[] {
	return [
		"prlimit",
		...limits,
		`--as=${addressSpaceBytes}`,
		"--fsize=0",
		"--core=0",
		"--",
		...command,
	];
}

/** Audio length for the CPU limit of an endless stream's decoder: two days. */
const streamSecondsMax = 48 * 3600;
const addressSpaceBytes = 1024 * 1024 * 1024;
