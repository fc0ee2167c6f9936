/**
 * Decodes containers with the system's ffmpeg, one child process per file: its crashes stay isolated, and its resources are limited.
 */
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import type {
	ContainerDecoder,
	DecodeOptions,
} from "../../runtime/audio/decoder-port.js";
import { decodeArgv, isStreamable, limitedArgv } from "./argv.js";
import { readSamples } from "./child.js";
import { delayOf } from "./delay.js";
import { requireExecutable } from "./executable.js";
import { spoolBytes } from "./spool.js";

export interface FfmpegOptions {
	/** A name on the PATH or an absolute path. */
	readonly program?: string;
	/** Folder for input that must be seekable while it is decoded. */
	readonly spoolFolder?: string;
	readonly spoolBytesMax?: number;
	readonly stallSecondsMax?: number;
}

/** 2 GiB: the largest file the interface allows. */
const spoolBytesMaxDefault = 2 * 1024 ** 3;
const stallSecondsMaxDefault = 30;

export function openFfmpeg(options: FfmpegOptions = {}): ContainerDecoder {
	return {
		decodeFile: (path, decode) => decodeWhole(options, decode, resolve(path)),
		decodeBytes: (bytes, decode) =>
			isStreamable(decode.container)
				? decodeFrom(options, decode, undefined, bytes)
				: decodeSpooled(options, decode, bytes),
	};
}

/** With silence before sound that begins later than the pictures. */
async function* decodeWhole(
	options: FfmpegOptions,
	decode: DecodeOptions,
	path: string,
): AsyncGenerator<Float32Array, void, void> {
	const delaySeconds =
		decode.delaySeconds ??
		(await delayOf(path, decode.container, decode.signal));
	yield* decodeFrom(options, decode, path, undefined, delaySeconds);
}

async function* decodeFrom(
	options: FfmpegOptions,
	decode: DecodeOptions,
	path: string | undefined,
	input: AsyncIterable<Uint8Array> | undefined,
	delaySeconds = 0,
): AsyncGenerator<Float32Array, void, void> {
	const program = await requireExecutable(
		options.program ?? "ffmpeg",
		"ffmpeg",
	);
	yield* readSamples({
		argv: limitedArgv(
			[program, ...decodeArgv(path, decode, delaySeconds)],
			decode,
		),
		input,
		secrets: path === undefined ? [] : [path],
		stallSecondsMax: options.stallSecondsMax ?? stallSecondsMaxDefault,
		signal: decode.signal,
	});
}

async function* decodeSpooled(
	options: FfmpegOptions,
	decode: DecodeOptions,
	bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Float32Array, void, void> {
	const spool = await spoolBytes(
		bytes,
		options.spoolFolder ?? tmpdir(),
		options.spoolBytesMax ?? spoolBytesMaxDefault,
		decode.signal,
	);
	try {
		yield* decodeFrom(options, decode, spool.path, undefined);
	} finally {
		await spool.remove();
	}
}
