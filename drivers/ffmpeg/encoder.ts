/**
 * Converts recordings to another format with the system's ffmpeg, under the same limits as decoding, at the lowest priority.
 */
import { resolve } from "node:path";
import type {
	AudioEncoder,
	EncodeOptions,
	RawSamples,
} from "../../runtime/audio/encoder-port.js";
import { demuxerOf, limitArgv, limitedArgv } from "./argv.js";
import { readBytes } from "./child.js";
import { requireExecutable } from "./executable.js";

const niceness = "19";
/** Beside a busy processor the lowest priority runs for a few milliseconds in a second: what takes long is not what hangs. */
const stallSecondsMax = 600;
/** For speech at 16 kHz a higher bit rate makes no audible difference. */
const mp3BitRate = "64k";

/** @param program a name on the PATH or an absolute path. */
export function openEncoder(program = "ffmpeg"): AudioEncoder {
	return {
		encodeFile: async function* (path, options) {
			const ffmpeg = await requireExecutable(program, "ffmpeg");
			const command = ["nice", "-n", niceness, ffmpeg];
			yield* readBytes({
				argv: limitedArgv([...command, ...encodeArgv(resolve(path), options)], {
					durationSecondsMax: options.secondsMax,
				}),
				input: undefined,
				secrets: [path],
				stallSecondsMax,
				signal: options.signal,
			});
		},
	};
}

/** ffmpeg's names. */
const rawDemuxers: Readonly<Record<RawSamples["codec"], string>> = {
	u8: "u8",
	s16: "s16le",
	s24: "s24le",
	s32: "s32le",
	f32: "f32le",
	f64: "f64le",
	alaw: "alaw",
	mulaw: "mulaw",
};

function encodeArgv(path: string, options: EncodeOptions): string[] {
	const { from, to, secondsMax } = options;
	const source =
		typeof from === "string"
			? ["-f", demuxerOf(from)]
			: [
					...["-f", rawDemuxers[from.codec]],
					...["-ar", String(from.sampleRateHz), "-ac", "1"],
				];
	const encoded =
		to === "mp3"
			? // the Xing header needs a seekable output, and this is a pipe
				["-c:a", "libmp3lame", "-b:a", mp3BitRate, "-write_xing", "0"]
			: ["-c:a", "pcm_s16le"];
	return [
		"-nostdin",
		"-hide_banner",
		...["-v", "error"],
		...["-protocol_whitelist", "file,pipe"],
		...["-threads", "1"],
		...source,
		...["-i", `file:${path}`],
		...["-map", "0:a:0", "-map_metadata", "-1"],
		...limitArgv(secondsMax),
		...["-ac", "1", "-rematrix_maxval", "1", "-ar", "16000"], // the mean, as in decoding
		...encoded,
		...["-f", to === "mp3" ? "mp3" : "s16le", "pipe:1"],
	];
}
