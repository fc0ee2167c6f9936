/**
 * What ffmpeg is told. Always a list, never a shell's line: file names and labels are strangers.
 */
import assert from "node:assert";
import type {
	Container,
	DecodeOptions,
} from "../../runtime/audio/decoder-port.js";

/** The demuxer is forced: a file that is something else fails instead of reaching code that nobody meant. */
const demuxers: Readonly<Record<Container, string>> = {
	wav: "wav",
	opus: "ogg",
	mp3: "mp3",
	aac: "aac",
	amr: "amr",
	mp4: "mov",
	flac: "flac",
};

export function demuxerOf(container: Container): string {
	return demuxers[container];
}

/** Containers that can be decoded as they come. The mp4 family may keep its index at the end: through a pipe it gives no samples and no error. */
export function isStreamable(container: Container): boolean {
	return container !== "mp4";
}

/** Decoded a little further than allowed, so that whoever counts the samples sees that there is more. */
const marginSeconds = 1;

/**
 * A demuxer that was forced needs no look ahead. Fed in real time, samples come 30 (amr), 40 (aac), 60 (adpcm), 120 (opus), 180 (mp3) and 950 ms (flac: its
 * parser wants ten frames) behind their bytes in the median; without this 900 to 6000 ms. `-fflags nobuffer` would throw the first packets away.
 */
const readAtOnce = [
	...["-flags", "low_delay"],
	...["-probesize", "32"],
	...["-analyzeduration", "0"],
];

/** @param path absent: bytes come through standard input. Float samples, 32-bit little-endian, leave through standard output. */
export function decodeArgv(
	path: string | undefined,
	options: DecodeOptions,
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
		...["-map", "0:a:0"], // the first audio stream, no picture
		...(isEndless ? [] : ["-t", String(durationSecondsMax + marginSeconds)]),
		// the mean of the channels, as elsewhere: without it a float mix-down is 3 dB louder
		...["-ac", String(channels), "-rematrix_maxval", "1"],
		...["-ar", "16000"],
		...(streamed ? ["-flush_packets", "1"] : []),
		...["-f", "f32le", "-c:a", "pcm_f32le", "pipe:1"],
	];
}

/**
 * The same command under limits of the kernel: CPU seconds and address space, no files, no core dumps.
 * `prlimit` becomes the command it starts, so a signal reaches the right process.
 */
export function limitedArgv(
	command: readonly string[],
	options: Pick<DecodeOptions, "durationSecondsMax">,
): string[] {
	const seconds = Math.min(options.durationSecondsMax, streamSecondsMax);
	const cpuSeconds = Math.ceil(30 + seconds / 10);
	return [
		"prlimit",
		`--cpu=${cpuSeconds}`,
		`--as=${addressSpaceBytes}`,
		"--fsize=0",
		"--core=0",
		"--",
		...command,
	];
}

/** What an endless stream's decoder may work is that of two days. */
const streamSecondsMax = 48 * 3600;
const addressSpaceBytes = 1024 * 1024 * 1024;
